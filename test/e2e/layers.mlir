// Written by utils/make_e2e.py; expected values are those of JAX 0.10.2.

// Layer normalisation and softmax.
module @normalised {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[[1.5, 0.625, 0.0, -1.0, -0.75, -1.875, -1.75, -2.0], [-1.375, 1.25, 0.625, 1.75, 0.0, 0.5, 2.0, 1.0], [0.5, 0.125, 0.25, 1.75, -0.875, 1.25, 0.75, -2.0], [-0.375, 1.5, 0.25, -1.875, 1.125, 1.0, 1.375, -1.375]], [[-1.75, 1.5, -2.0, 0.125, -1.75, -0.875, -0.125, -0.375], [-0.375, -2.0, -2.0, -1.5, -2.0, 0.75, 0.125, 0.625], [-1.0, 0.5, 1.125, -0.5, -0.125, 2.0, 1.25, 2.0], [-0.5, 0.75, 1.875, 0.625, 1.375, 0.75, 0.875, -0.5]]]> : tensor<2x4x8xf32>
    %in1 = stablehlo.constant dense<[-0.125, 0.0, 1.0, 1.875, -1.875, -1.5, 1.375, 1.875]> : tensor<8xf32>
    %in2 = stablehlo.constant dense<[1.375, -1.0, -1.625, -0.875, -0.375, 1.25, -0.25, -1.625]> : tensor<8xf32>
    %out:3 = call @f(%in0, %in1, %in2) : (tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>)
    %want0 = stablehlo.constant dense<[[[1.1485753059387207, -1.0, -1.0737049579620361, -1.4164503812789917, -0.22733169794082642, 2.785750389099121, -1.513384461402893, -3.741579055786133], [1.6363348960876465, -1.0, -1.718612551689148, 1.055757999420166, 0.9706797003746033, 1.5776437520980835, 1.5091350078582764, -1.0984296798706055], [1.3433945178985596, -1.0, -1.5969061851501465, 1.7061145305633545, 1.4686530828475952, -0.1406412422657013, 0.40669170022010803, -5.3649821281433105], [1.4347929954528809, -1.0, -1.5862152576446533, -4.0989766120910645, -1.8051851987838745, 0.26099058985710144, 1.0832234621047974, -4.0732831954956055]], [[1.4981046915054321, -1.0, -2.8349432945251465, 0.44397884607315063, 1.471570372581482, 1.545451283454895, 0.4077307879924774, -1.15016770362854], [1.3284783363342285, -1.0, -2.6863834857940674, -2.0380420684814453, 1.6150940656661987, -0.7969539165496826, 0.8682433366775513, 0.7269294261932373], [1.571300745010376, -1.0, -1.1805453300476074, -2.930602788925171, 1.0139206647872925, -0.6611549258232117, 0.5240918397903442, 0.7639436721801758], [1.5627213716506958, -1.0, -0.04205214977264404, -0.9511032700538635, -2.1253750324249268, 1.0673521757125854, 0.14066338539123535, -4.440820693969727]]]> : tensor<2x4x8xf32>
    stablehlo.custom_call @check.expect_almost_eq(%out#0, %want0) {has_side_effect = true} : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> ()
    %want1 = stablehlo.constant dense<[[[0.19323159754276276, 0.25, 0.3681449294090271, 0.02807292342185974, 0.10028127580881119, 0.6981143951416016, 0.023933401331305504, 0.0626082643866539], [0.31470921635627747, 0.25, 0.1931696981191635, 0.3326243758201599, 0.332284152507782, 0.20857034623622894, 0.49166354537010193, 0.8801097869873047], [0.23479405045509338, 0.25, 0.2181701809167862, 0.6373827457427979, 0.5467347502708435, 0.037411995232105255, 0.16326119005680084, 0.012348000891506672], [0.2572651505470276, 0.25, 0.2205151468515396, 0.001919912057928741, 0.02069982886314392, 0.05590328574180603, 0.32114189863204956, 0.044933926314115524]], [[0.2508357763290405, 0.25, 0.04216162860393524, 0.7322684526443481, 0.35530155897140503, 0.5476059317588806, 0.22351817786693573, 0.0696735605597496], [0.2117004096508026, 0.25, 0.04891431704163551, 0.06119872257113457, 0.41013672947883606, 0.05262285843491554, 0.35425084829330444, 0.45528241991996765], [0.2698846161365509, 0.25, 0.2205023467540741, 0.02506733499467373, 0.22482386231422424, 0.060276951640844345, 0.2511006295681, 0.4724501371383667], [0.2675790786743164, 0.25, 0.6884216666221619, 0.18146541714668274, 0.009737862274050713, 0.3394941985607147, 0.17113029956817627, 0.0025939138140529394]]]> : tensor<2x4x8xf32>
    stablehlo.custom_call @check.expect_almost_eq(%out#1, %want1) {has_side_effect = true} : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> ()
    %want2 = stablehlo.constant dense<[[[1.004583477973938, -0.15865527093410492, -0.1519050896167755, -0.11093900352716446, -0.09322484582662582, 2.7783117294311523, -0.09850775450468063, -0.0003421069122850895], [1.553070306777954, -0.15865527093410492, -0.07362961024045944, 0.9021036028862, 0.8096886873245239, 1.487207293510437, 1.41008722782135, -0.14939574897289276], [1.2230638265609741, -0.15865527093410492, -0.088058702647686, 1.631056785583496, 1.364432454109192, -0.062455497682094574, 0.26755544543266296, -2.1716725484566268e-07], [1.3262178897857666, -0.15865527093410492, -0.08937568962574005, -8.50498690851964e-05, -0.06412533670663834, 0.15736429393291473, 0.9322712421417236, -9.440848953090608e-05]], [[1.397652268409729, -0.15865527093410492, -0.00649681081995368, 0.2981189489364624, 1.367723822593689, 1.4509954452514648, 0.2683946192264557, -0.14381402730941772], [1.206244945526123, -0.15865527093410492, -0.009701892733573914, -0.04233596846461296, 1.5292595624923706, -0.16954311728477478, 0.7009931206703186, 0.5570935606956482], [1.4800766706466675, -0.15865527093410492, -0.14035707712173462, -0.0049571869894862175, 0.8564482927322388, -0.1681029498577118, 0.3668080270290375, 0.5940040946006775], [1.470428466796875, -0.15865527093410492, -0.020320799201726913, -0.16242560744285583, -0.035658836364746094, 0.914820671081543, 0.07819928228855133, -1.9898530808859505e-05]]]> : tensor<2x4x8xf32>
    stablehlo.custom_call @check.expect_almost_eq(%out#2, %want2) {has_side_effect = true} : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<2x4x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> (tensor<2x4x8xf32> {jax.result_info = "result[0]"}, tensor<2x4x8xf32> {jax.result_info = "result[1]"}, tensor<2x4x8xf32> {jax.result_info = "result[2]"}) {
    %0 = call @standardize(%arg0) : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x4x8xf32>
    %3 = stablehlo.multiply %0, %2 : tensor<2x4x8xf32>
    %4 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x4x8xf32>
    %6 = stablehlo.add %3, %5 : tensor<2x4x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<2x8xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 2] : (tensor<2x8xf32>) -> tensor<2x1x8xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x1x8xf32>) -> tensor<2x4x8xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<2x4x8xf32>
    %13 = stablehlo.exponential %12 : tensor<2x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 2] : (tensor<2x8xf32>) -> tensor<2x1x8xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x1x8xf32>) -> tensor<2x4x8xf32>
    %17 = stablehlo.divide %13, %16 : tensor<2x4x8xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %19 = stablehlo.multiply %18, %6 : tensor<2x4x8xf32>
    %20 = stablehlo.negate %6 : tensor<2x4x8xf32>
    %cst_3 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %22 = stablehlo.multiply %20, %21 : tensor<2x4x8xf32>
    %23 = chlo.erfc %22 : tensor<2x4x8xf32> -> tensor<2x4x8xf32>
    %24 = stablehlo.multiply %19, %23 : tensor<2x4x8xf32>
    return %6, %17, %24 : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  }
  func.func private @standardize(%arg0: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x4x1xf32>
    %4 = chlo.square %arg0 : tensor<2x4x8xf32> -> tensor<2x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %8 = stablehlo.divide %6, %7 : tensor<2x4x1xf32>
    %9 = chlo.square %3 : tensor<2x4x1xf32> -> tensor<2x4x1xf32>
    %10 = stablehlo.subtract %8, %9 : tensor<2x4x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %11 = call @clip(%10, %c) : (tensor<2x4x1xf32>, tensor<i64>) -> tensor<2x4x1xf32>
    %12 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
    %13 = stablehlo.subtract %arg0, %12 : tensor<2x4x8xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %15 = stablehlo.add %11, %14 : tensor<2x4x1xf32>
    %16 = stablehlo.rsqrt %15 : tensor<2x4x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
    %18 = stablehlo.multiply %13, %17 : tensor<2x4x8xf32>
    return %18 : tensor<2x4x8xf32>
  }
  func.func private @clip(%arg0: tensor<2x4x1xf32>, %arg1: tensor<i64>) -> tensor<2x4x1xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<2x4x1xf32>
    return %2 : tensor<2x4x1xf32>
  }
}

// -----

// Scores with a causal mask.
module @attention {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[[1.5, 0.625, 0.0, -1.0, -0.75, -1.875, -1.75, -2.0], [-1.375, 1.25, 0.625, 1.75, 0.0, 0.5, 2.0, 1.0], [0.5, 0.125, 0.25, 1.75, -0.875, 1.25, 0.75, -2.0], [-0.375, 1.5, 0.25, -1.875, 1.125, 1.0, 1.375, -1.375], [-1.75, 1.5, -2.0, 0.125, -1.75, -0.875, -0.125, -0.375]], [[-0.375, -2.0, -2.0, -1.5, -2.0, 0.75, 0.125, 0.625], [-1.0, 0.5, 1.125, -0.5, -0.125, 2.0, 1.25, 2.0], [-0.5, 0.75, 1.875, 0.625, 1.375, 0.75, 0.875, -0.5], [1.5, -1.5, 0.375, 0.875, 1.375, 0.125, -0.5, -0.75], [-0.375, 0.0, 0.875, 1.625, -1.75, 1.75, 0.125, -0.625]]]> : tensor<2x5x8xf32>
    %in1 = stablehlo.constant dense<[[[-0.125, 0.0, 1.0, 1.875, -1.875, -1.5, 1.375, 1.875], [-1.0, -0.75, 1.5, -0.375, -0.875, 1.375, -1.0, -0.375], [0.625, 0.25, -1.75, -2.0, 1.5, 1.0, 1.375, 0.125], [1.25, -0.75, -0.25, 1.25, -1.5, -0.75, -1.5, -0.25], [2.0, -1.5, -0.5, -0.375, 1.625, -1.25, 0.0, -1.0], [-2.0, 1.0, -1.75, -0.875, 0.0, 0.0, -1.625, 2.0], [1.0, 1.875, -1.625, 0.875, -0.875, 0.125, 1.75, -0.875]], [[0.875, -1.375, -0.75, 2.0, -0.375, 0.125, -0.875, -1.625], [-0.25, 0.5, -0.125, 1.125, -0.625, 0.5, 1.125, 1.75], [-0.25, -1.875, 0.875, 0.125, 1.5, -0.125, -0.5, -1.75], [-0.125, 0.625, 1.125, 1.5, -1.125, 0.375, 1.25, -1.0], [-0.625, 1.375, 0.375, 0.0, 0.75, 0.0, 2.0, 1.0], [-1.875, -1.5, 0.125, 1.375, -1.75, 0.75, 1.125, 1.125], [1.5, -1.25, 0.25, 1.25, -0.625, -1.25, -0.125, -1.75]]]> : tensor<2x7x8xf32>
    %in2 = stablehlo.constant dense<[[[1.375, -1.0, -1.625, -0.875], [-0.375, 1.25, -0.25, -1.625], [-0.625, 0.375, 1.25, 1.0], [2.0, -1.25, 1.625, -1.875], [0.25, -0.875, -1.25, 0.625], [-0.75, 0.25, -1.0, -1.5], [1.0, -0.25, 0.75, 0.75]], [[1.875, -0.375, -1.125, 0.5], [1.75, 1.875, 1.5, 0.75], [-0.5, -0.5, -1.875, -1.25], [-0.75, -0.625, 0.375, 0.0], [0.75, 1.625, 1.5, 1.125], [2.0, -0.75, 1.625, 1.75], [-1.125, -0.125, 0.25, 0.75]]]> : tensor<2x7x4xf32>
    %out = call @f(%in0, %in1, %in2) : (tensor<2x5x8xf32>, tensor<2x7x8xf32>, tensor<2x7x4xf32>) -> tensor<2x5x4xf32>
    %want0 = stablehlo.constant dense<[[[1.375, -1.0, -1.625, -0.875], [1.3033902645111084, -0.907930314540863, -1.5687352418899536, -0.9056898951530457], [0.22874987125396729, 0.34366947412490845, -0.5826451778411865, -1.0692001581192017], [-0.5944348573684692, 0.4125659465789795, 1.1563832759857178, 0.8375620245933533], [1.0648393630981445, -0.636990487575531, -0.14792083203792572, -0.9515098929405212]], [[1.875, -0.375, -1.125, 0.5], [1.751150369644165, 1.8542948961257935, 1.4758440256118774, 0.7476994395256042], [0.3849472403526306, 0.17076081037521362, -0.8585320115089417, -0.5033050775527954], [0.5553119778633118, -0.4064694344997406, -1.3999630212783813, -0.4094887971878052], [0.21278785169124603, -0.1455407440662384, 0.16260454058647156, 0.1992565244436264]]]> : tensor<2x5x4xf32>
    stablehlo.custom_call @check.expect_almost_eq(%out, %want0) {has_side_effect = true} : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<2x5x8xf32>, %arg1: tensor<2x7x8xf32>, %arg2: tensor<2x7x4xf32>) -> (tensor<2x5x4xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<2x7x8xf32>) -> tensor<2x5x7xf32>
    %cst = stablehlo.constant dense<2.82842708> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x7xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x5x7xf32>
    %3 = stablehlo.iota dim = 0 : tensor<5xi64>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<5xi64>) -> tensor<5x1xi64>
    %5 = stablehlo.iota dim = 0 : tensor<7xi64>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<7xi64>) -> tensor<1x7xi64>
    %7 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<5x1xi64>) -> tensor<5x7xi64>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x7xi64>) -> tensor<5x7xi64>
    %9 = stablehlo.compare GE, %7, %8, SIGNED : (tensor<5x7xi64>, tensor<5x7xi64>) -> tensor<5x7xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+09> : tensor<f64>
    %10 = call @_where(%9, %2, %cst_0) : (tensor<5x7xi1>, tensor<2x5x7xf32>, tensor<f64>) -> tensor<2x5x7xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x5x7xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<2x5xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x7xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<2x5x7xf32>
    %17 = stablehlo.exponential %16 : tensor<2x5x7xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x5x7xf32>, tensor<f32>) -> tensor<2x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x7xf32>
    %21 = stablehlo.divide %17, %20 : tensor<2x5x7xf32>
    %22 = stablehlo.dot_general %21, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x7xf32>, tensor<2x7x4xf32>) -> tensor<2x5x4xf32>
    return %22 : tensor<2x5x4xf32>
  }
  func.func private @_where(%arg0: tensor<5x7xi1>, %arg1: tensor<2x5x7xf32>, %arg2: tensor<f64>) -> tensor<2x5x7xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<f64>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<5x7xi1>) -> tensor<2x5x7xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x5x7xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x5x7xi1>, tensor<2x5x7xf32>
    return %3 : tensor<2x5x7xf32>
  }
}

// -----

// A convolution with bias, an activation and a pooling behind it.
module @convolution_block {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[[[1.5, 0.625, 0.0], [-1.0, -0.75, -1.875], [-1.75, -2.0, -1.375], [1.25, 0.625, 1.75], [0.0, 0.5, 2.0], [1.0, 0.5, 0.125], [0.25, 1.75, -0.875], [1.25, 0.75, -2.0]], [[-0.375, 1.5, 0.25], [-1.875, 1.125, 1.0], [1.375, -1.375, -1.75], [1.5, -2.0, 0.125], [-1.75, -0.875, -0.125], [-0.375, -0.375, -2.0], [-2.0, -1.5, -2.0], [0.75, 0.125, 0.625]], [[-1.0, 0.5, 1.125], [-0.5, -0.125, 2.0], [1.25, 2.0, -0.5], [0.75, 1.875, 0.625], [1.375, 0.75, 0.875], [-0.5, 1.5, -1.5], [0.375, 0.875, 1.375], [0.125, -0.5, -0.75]], [[-0.375, 0.0, 0.875], [1.625, -1.75, 1.75], [0.125, -0.625, 0.75], [0.25, -1.0, -0.75], [0.875, 0.375, 0.0], [-0.625, 1.125, -0.5], [-0.75, 1.625, -1.0], [-1.125, 0.875, 0.5]], [[-1.875, -1.75, -0.5], [1.375, -0.375, 1.125], [-0.75, -1.125, 1.25], [1.5, -1.75, -1.875], [0.75, -0.625, 0.25], [-1.5, 1.5, -0.25], [1.625, 1.25, 0.875], [-1.125, 1.125, -1.875]], [[0.25, -0.375, 2.0], [-1.25, 1.875, -1.75], [0.5, 0.375, 1.625], [-0.875, 1.625, 0.75], [1.625, -1.25, 1.125], [1.875, -1.875, -0.5], [0.625, -1.625, 0.0], [0.5, 1.125, 1.75]], [[-0.375, -0.25, -0.125], [1.875, -1.25, 0.0], [-1.875, -0.25, 1.875], [0.5, -0.625, 2.0], [0.375, 1.875, -2.0], [-0.125, 1.375, 1.125], [-0.375, 0.0, -0.375], [0.125, -1.125, 1.125]], [[-1.75, -0.375, -0.875], [1.0, 1.0, 0.875], [1.75, 1.75, -1.25], [-1.625, -1.5, 1.0], [2.0, 1.75, 0.75], [1.875, 1.5, -2.0], [-1.625, 1.5, -1.75], [2.0, 1.375, 1.875]]]]> : tensor<1x8x8x3xf32>
    %in1 = stablehlo.constant dense<[[[[-0.125, 0.0, 1.0, 1.875], [-1.875, -1.5, 1.375, 1.875], [-1.0, -0.75, 1.5, -0.375]], [[-0.875, 1.375, -1.0, -0.375], [0.625, 0.25, -1.75, -2.0], [1.5, 1.0, 1.375, 0.125]], [[1.25, -0.75, -0.25, 1.25], [-1.5, -0.75, -1.5, -0.25], [2.0, -1.5, -0.5, -0.375]]], [[[1.625, -1.25, 0.0, -1.0], [-2.0, 1.0, -1.75, -0.875], [0.0, 0.0, -1.625, 2.0]], [[1.0, 1.875, -1.625, 0.875], [-0.875, 0.125, 1.75, -0.875], [0.875, -1.375, -0.75, 2.0]], [[-0.375, 0.125, -0.875, -1.625], [-0.25, 0.5, -0.125, 1.125], [-0.625, 0.5, 1.125, 1.75]]], [[[-0.25, -1.875, 0.875, 0.125], [1.5, -0.125, -0.5, -1.75], [-0.125, 0.625, 1.125, 1.5]], [[-1.125, 0.375, 1.25, -1.0], [-0.625, 1.375, 0.375, 0.0], [0.75, 0.0, 2.0, 1.0]], [[-1.875, -1.5, 0.125, 1.375], [-1.75, 0.75, 1.125, 1.125], [1.5, -1.25, 0.25, 1.25]]]]> : tensor<3x3x3x4xf32>
    %in2 = stablehlo.constant dense<[1.375, -1.0, -1.625, -0.875]> : tensor<4xf32>
    %out = call @f(%in0, %in1, %in2) : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
    %want0 = stablehlo.constant dense<[[[[6.78125, 4.78125, 8.578125, 5.671875], [19.8125, 5.671875, 4.109375, 4.4375], [6.4375, 8.765625, 12.171875, 5.609375], [1.328125, 8.765625, 1.296875, 1.796875]], [[9.53125, 0.109375, 3.828125, 10.0625], [5.421875, 6.421875, 3.765625, 11.421875], [0.0, 8.15625, 4.546875, 4.625], [9.40625, 13.6875, 6.421875, 0.0]], [[9.5, 5.046875, 7.453125, 15.890625], [12.6875, 3.84375, 11.578125, 18.96875], [17.609375, 10.5625, 3.53125, 2.453125], [5.625, 0.0, 6.140625, 6.265625]], [[2.21875, 3.59375, 3.25, 5.5], [12.453125, 1.71875, 3.953125, 11.640625], [1.140625, 11.296875, 15.3125, 12.171875], [9.890625, 7.578125, 10.171875, 3.734375]]]]> : tensor<1x4x4x4xf32>
    stablehlo.custom_call @check.expect_close(%out, %want0) {has_side_effect = true} : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<1x8x8x3xf32>, %arg1: tensor<3x3x3x4xf32>, %arg2: tensor<4xf32>) -> (tensor<1x4x4x4xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x8x8x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
    %3 = stablehlo.add %0, %2 : tensor<1x8x8x4xf32>
    %4 = call @relu(%3) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %6 = "stablehlo.reduce_window"(%4, %5) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %7 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }) : (tensor<1x8x8x4xf32>, tensor<f32>) -> tensor<1x4x4x4xf32>
    return %6 : tensor<1x4x4x4xf32>
  }
  func.func private @relu(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x8x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x8x8x4xf32>
    return %1 : tensor<1x8x8x4xf32>
  }
}

// -----

// The derivative of a small loss.
module @gradient {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[1.5, 0.625, 0.0, -1.0], [-0.75, -1.875, -1.75, -2.0], [-1.375, 1.25, 0.625, 1.75]]> : tensor<3x4xf32>
    %in1 = stablehlo.constant dense<[[-0.125, 0.0, 1.0, 1.875, -1.875], [-1.5, 1.375, 1.875, -1.0, -0.75], [1.5, -0.375, -0.875, 1.375, -1.0], [-0.375, 0.625, 0.25, -1.75, -2.0]]> : tensor<4x5xf32>
    %out = call @f(%in0, %in1) : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %want0 = stablehlo.constant dense<[[-0.07285802066326141, 0.040164101868867874, -0.05907037481665611, -0.014461198821663857, -0.040600892156362534], [-0.13991479575634003, 0.02366519346833229, 0.0638987198472023, -0.03680002689361572, -0.02349071577191353], [-0.0877511203289032, 0.0035063978284597397, 0.03134511411190033, -0.034463103860616684, -0.0022538325283676386], [-0.0753181204199791, -0.02194572426378727, 0.08131076395511627, -0.03959202393889427, 0.024062151089310646]]> : tensor<4x5xf32>
    stablehlo.custom_call @check.expect_almost_eq(%out, %want0) {has_side_effect = true} : (tensor<4x5xf32>, tensor<4x5xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<3x4xf32>, %arg1: tensor<4x5xf32>) -> (tensor<4x5xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
    %1 = stablehlo.tanh %0 : tensor<3x5xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<3x5xf32>
    %4 = stablehlo.multiply %1, %1 : tensor<3x5xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %6 = stablehlo.multiply %5, %1 : tensor<3x5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.500000e+01> : tensor<f32>
    %8 = stablehlo.divide %7, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.500000e+01> : tensor<f32>
    %9 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %11 = stablehlo.multiply %10, %6 : tensor<3x5xf32>
    %12 = stablehlo.multiply %11, %3 : tensor<3x5xf32>
    %13 = stablehlo.multiply %12, %1 : tensor<3x5xf32>
    %14 = stablehlo.add %12, %13 : tensor<3x5xf32>
    %15 = stablehlo.dot_general %14, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
    %16 = stablehlo.transpose %15, dims = [1, 0] : (tensor<5x4xf32>) -> tensor<4x5xf32>
    return %16 : tensor<4x5xf32>
  }
}
