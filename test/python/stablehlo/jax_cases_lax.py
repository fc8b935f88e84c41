"""Functions of jax.lax, jax.nn, jax.scipy, jax.random, jax.numpy.linalg, control
flow, vmap and grad."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import numpy as np
from jax import lax

from jax_case import BFLOAT16, Case, complex_numbers, floats, integers, truths

UNARY = """abs acos acosh asin asinh atan atanh bessel_i0e bessel_i1e cbrt ceil
cos cosh digamma erf erf_inv erfc exp exp2 expm1 floor integer_pow is_finite
lgamma log log1p logistic neg round rsqrt sign sin sinh sqrt square tan
tanh""".split()
BINARY = "add atan2 div eq ge gt le lt max min mul ne nextafter pow rem sub".split()
BINARY_INTEGERS = """add bitwise_and bitwise_or bitwise_xor div max min mul rem
shift_left shift_right_arithmetic shift_right_logical sub eq lt mulhi""".split()
NN = """relu relu6 sigmoid softplus silu swish log_sigmoid leaky_relu hard_sigmoid
hard_silu hard_tanh elu celu selu gelu glu softmax log_softmax standardize
logsumexp squareplus mish soft_sign sparse_plus sparse_sigmoid""".split()
SPECIAL = """erf erfc erfinv digamma gammaln gamma expit log_ndtr ndtr ndtri entr
i0 i0e i1 i1e xlogy xlog1py rel_entr kl_div betaln gammainc gammaincc zeta
polygamma betainc logit expi exp1 spence bernoulli factorial poch hyp1f1
logsumexp""".split()
DISTRIBUTIONS = "norm cauchy laplace logistic expon uniform".split()


def primitives():
    for dtype in ("float32", "float64", BFLOAT16):
        for name in UNARY:
            function = getattr(lax, name)
            if name == "integer_pow":
                function = lambda x: lax.integer_pow(x, 3)  # noqa: E731
            low, high = (1.1, 3) if name == "acosh" else (0.1, 0.9)
            yield Case(f"lax.{name}", function, floats(dtype, 4, 5, low=low, high=high))
        for name in BINARY:
            args = [floats(dtype, 4, 5, low=0.5, high=2, seed=s) for s in (0, 1)]
            yield Case(f"lax.{name}", getattr(lax, name), *args)
    for dtype in ("int8", "int32", "uint16", "uint64"):
        for name in BINARY_INTEGERS:
            if not hasattr(lax, name):
                continue
            second = integers(dtype, 4, 5, low=1, high=7, seed=1)
            yield Case(f"lax.{name}", getattr(lax, name), integers(dtype, 4, 5), second)
        for name in ("clz", "population_count", "bitwise_not"):
            yield Case(f"lax.{name}", getattr(lax, name), integers(dtype, 4, 5))


def structured():
    x = floats("float32", 4, 6)
    image = floats("float32", 1, 8, 8, 3)
    kernel = floats("float32", 3, 3, 3, 4, seed=1)
    layout = ("NHWC", "HWIO", "NHWC")
    table = {
        "broadcast": lambda v: lax.broadcast(v, (2,)),
        "broadcast_in_dim": lambda v: lax.broadcast_in_dim(v, (4, 2, 6), (0, 2)),
        "bitcast_convert_type": lambda v: lax.bitcast_convert_type(v, jnp.int32),
        "clamp": lambda v: lax.clamp(jnp.float32(-0.5), v, jnp.float32(0.5)),
        "collapse": lambda v: lax.collapse(v, 0),
        "complex": lambda v: lax.complex(v, -v),
        "concatenate": lambda v: lax.concatenate([v, v], 0),
        "convert_element_type": lambda v: lax.convert_element_type(v, jnp.int8),
        "cumsum": lambda v: lax.cumsum(v, axis=1),
        "cumprod": lambda v: lax.cumprod(v, axis=0, reverse=True),
        "cummax": lambda v: lax.cummax(v, axis=1),
        "cummin": lambda v: lax.cummin(v, axis=1),
        "cumlogsumexp": lambda v: lax.cumlogsumexp(v, axis=1),
        "dot_general": lambda v: lax.dot_general(v, v, (((1,), (1,)), ((), ()))),
        "dynamic_slice": lambda v: lax.dynamic_slice(v, (1, 5), (2, 3)),
        "dynamic_update_slice": lambda v: lax.dynamic_update_slice(
            v, v[:2, :2], (3, 3)
        ),
        "dynamic_index_in_dim": lambda v: lax.dynamic_index_in_dim(v, 2, 1),
        "gather": lambda v: v[jnp.array([[0, 2], [1, 3]])],
        "iota": lambda v: v + lax.iota(jnp.float32, 6),
        "broadcasted_iota": lambda v: v + lax.broadcasted_iota(jnp.float32, (4, 6), 0),
        "pad": lambda v: lax.pad(v, jnp.float32(1), ((1, -1, 2), (0, 2, 0))),
        "reduce": lambda v: lax.reduce(v, 0.0, lax.add, (0,)),
        "reduce-two": lambda v: lax.reduce(
            (v, -v),
            (jnp.float32(0), jnp.float32(1)),
            lambda a, b: (a[0] + b[0], a[1] * b[1]),
            (1,),
        ),
        "reduce_precision": lambda v: lax.reduce_precision(v, 5, 3),
        "reduce_window": lambda v: lax.reduce_window(
            v, 0.0, lax.add, (2, 3), (1, 2), "SAME"
        ),
        "reduce_window-max": lambda v: lax.reduce_window(
            v, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID", window_dilation=(2, 1)
        ),
        "reshape": lambda v: lax.reshape(v, (6, 4), (1, 0)),
        "rev": lambda v: lax.rev(v, (0, 1)),
        "scatter": lambda v: v.at[jnp.array([1, 1])].set(2.0),
        "scatter_add": lambda v: v.at[jnp.array([1, 1]), jnp.array([2, 2])].add(2.0),
        "scatter_mul": lambda v: v.at[jnp.array([1, 1])].mul(3.0),
        "select_n": lambda v: lax.select_n(v > 0, v, -v),
        "slice": lambda v: lax.slice(v, (1, 0), (4, 6), (2, 3)),
        "slice_in_dim": lambda v: lax.slice_in_dim(v, 1, 5, 2, axis=1),
        "sort": lambda v: lax.sort((v, -v), dimension=0, num_keys=1),
        "sort-keys": lambda v: lax.sort((jnp.round(v), v), num_keys=2),
        "squeeze": lambda v: lax.squeeze(v[None], (0,)),
        "top_k": lambda v: lax.top_k(v, 3),
        "transpose": lambda v: lax.transpose(v, (1, 0)),
        "argmax": lambda v: lax.argmax(v, 1, jnp.int32),
        "argmin": lambda v: lax.argmin(v, 0, jnp.int32),
        "map": lambda v: lax.map(lambda r: r * 2, v),
        "associative_scan": lambda v: lax.associative_scan(jnp.multiply, v, axis=1),
        "fft": lambda v: lax.fft(v + 0j, "FFT", (6,)),
        "igamma": lambda v: lax.igamma(jnp.abs(v) + 0.5, jnp.abs(v) + 1),
        "igammac": lambda v: lax.igammac(jnp.abs(v) + 0.5, jnp.abs(v) + 1),
        "random_gamma_grad": lambda v: lax.random_gamma_grad(
            jnp.abs(v) + 1, jnp.abs(v) + 0.5
        ),
        "betainc": lambda v: lax.betainc(
            jnp.abs(v) + 1, jnp.abs(v) + 2, jax.nn.sigmoid(v)
        ),
        "optimization_barrier": lambda v: lax.optimization_barrier((v, v + 1)),
        "stop_gradient": lambda v: lax.stop_gradient(v),
        "expand_dims": lambda v: lax.expand_dims(v, (0, 3)),
        "split": lambda v: lax.split(v, (2, 4), axis=1),
        "tile": lambda v: jnp.tile(v, 2),
        "erf_inv": lambda v: lax.erf_inv(jnp.tanh(v)),
        "polygamma": lambda v: lax.polygamma(jnp.ones_like(v), jnp.abs(v) + 1),
        "zeta": lambda v: lax.zeta(jnp.abs(v) + 1.5, jnp.abs(v) + 1),
        "approx_max_k": lambda v: lax.approx_max_k(v, 3),
        "ragged_dot": lambda v: lax.ragged_dot(
            v, jnp.ones((2, 6, 3)), jnp.array([1, 3], jnp.int32)
        ),
    }
    for name, function in table.items():
        yield Case(f"lax.{name}", function, x)
    windows = {
        "same": dict(window_strides=(1, 1), padding="SAME"),
        "strided": dict(window_strides=(2, 2), padding=[(1, 1), (0, 2)]),
        "dilated": dict(window_strides=(1, 1), padding="VALID", rhs_dilation=(2, 2)),
        "transposed": dict(
            window_strides=(1, 1), padding=[(2, 2)] * 2, lhs_dilation=(2, 2)
        ),
    }
    for name, options in windows.items():
        yield Case(
            f"lax.conv_general_dilated-{name}",
            lambda i, k, o=options: lax.conv_general_dilated(
                i, k, dimension_numbers=layout, **o
            ),
            image,
            kernel,
        )
    yield Case(
        "lax.conv-depthwise",
        lambda i, k: lax.conv_general_dilated(
            i, k, (1, 1), "SAME", dimension_numbers=layout, feature_group_count=3
        ),
        image,
        floats("float32", 3, 3, 1, 6),
    )
    yield Case(
        "lax.conv_transpose",
        lambda i, k: lax.conv_transpose(i, k, (2, 2), "SAME"),
        image,
        kernel,
    )


def control_flow():
    x = floats("float32", 5)
    table = {
        "cond": lambda v: lax.cond(v[0] > 0, jnp.sin, jnp.cos, v),
        "switch": lambda v: lax.switch(2, [jnp.sin, jnp.cos, jnp.tanh], v),
        "while_loop": lambda v: lax.while_loop(
            lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * 1.1), (0, v)
        ),
        "fori_loop": lambda v: lax.fori_loop(0, 4, lambda i, c: c + i * v, v),
        "scan": lambda v: lax.scan(lambda c, e: (c + e, c * e), 0.0, v),
        "scan-reverse": lambda v: lax.scan(
            lambda c, e: (c * e, c), 1.0, v, reverse=True
        ),
        "nested": lambda v: lax.fori_loop(
            0,
            3,
            lambda i, c: lax.cond(i % 2 == 0, lambda d: d + 1, lambda d: d * 2, c),
            v,
        ),
        "grad-scan": jax.grad(
            lambda v: lax.scan(lambda c, e: (jnp.sin(c + e), c), 0.0, v)[0]
        ),
        "grad-cond": jax.grad(lambda v: lax.cond(v[0] > 0, jnp.sum, jnp.prod, v)),
        "vmap-while": jax.vmap(
            lambda e: lax.while_loop(lambda c: c < 3, lambda c: c + jnp.abs(e) + 0.5, e)
        ),
        "vmap-cond": jax.vmap(lambda e: lax.cond(e > 0, jnp.sin, jnp.cos, e)),
        "checkpoint": jax.grad(
            lambda v: jax.checkpoint(lambda u: jnp.sum(jnp.sin(u) ** 2))(v)
        ),
        "hessian": jax.hessian(lambda v: jnp.sum(jnp.sin(v) * v[::-1])),
        "jacfwd": jax.jacfwd(lambda v: jnp.cumsum(v**2)),
        "jacrev": jax.jacrev(lambda v: jnp.cumprod(v)),
        "jvp": lambda v: jax.jvp(jnp.tanh, (v,), (v,)),
        "vjp": lambda v: jax.vjp(jnp.tanh, v)[1](v),
        "custom_jvp": lambda v: jax.grad(lambda u: jnp.sum(jax.nn.relu(u)))(v),
    }
    for name, function in table.items():
        yield Case(f"flow.{name}", function, x)


def transformed():
    """grad and vmap of functions of one argument."""
    names = """sin cos tanh exp log sqrt cbrt arctan arcsinh expm1 log1p square
    reciprocal logaddexp cumsum cumprod sort max min prod var std sinc""".split()
    for name in names:
        function = getattr(jnp, name)
        if name == "logaddexp":
            function = lambda v: jnp.logaddexp(v, 2 * v)  # noqa: E731
        loss = lambda v, f=function: jnp.sum(f(v) * jnp.cos(v))  # noqa: E731
        for dtype in ("float32", "float64"):
            yield Case(
                f"grad.{name}", jax.grad(loss), floats(dtype, 7, low=0.3, high=1.7)
            )
        yield Case(
            f"vmap.{name}",
            jax.vmap(function),
            floats("float32", 3, 7, low=0.3, high=1.7),
        )
    batched = {
        "matmul": lambda v: v @ v.T,
        "solve": lambda v: jnp.linalg.solve(v @ v.T + jnp.eye(4), v[:, 0]),
        "conv": lambda v: jnp.convolve(v[0], v[1]),
        "dynamic_slice": lambda v: lax.dynamic_slice(
            v, (v[0, 0].astype(int), 0), (2, 2)
        ),
        "scatter": lambda v: v.at[jnp.argmax(v[0]) % 4].set(0.0),
        "gather": lambda v: v[jnp.argsort(v[:, 0])],
        "sort": lambda v: jnp.sort(v, axis=0),
    }
    for name, function in batched.items():
        yield Case(f"vmap.{name}", jax.vmap(function), floats("float32", 3, 4, 6))
        loss = lambda v, f=function: jnp.sum(f(v) ** 2)  # noqa: E731
        yield Case(f"grad.{name}", jax.grad(loss), floats("float32", 4, 6), rtol=1e-3)


def libraries():
    for dtype in ("float32", "float64", BFLOAT16):
        for name in NN:
            function = getattr(jax.nn, name)
            yield Case(f"nn.{name}", function, floats(dtype, 4, 6))
            if dtype == "float32":
                loss = lambda v, f=function: jnp.sum(jnp.sin(f(v)))  # noqa: E731
                yield Case(f"grad.nn.{name}", jax.grad(loss), floats(dtype, 4, 6))
    yield Case(
        "nn.one_hot",
        lambda i: jax.nn.one_hot(i, 8),
        integers("int32", 5, low=0, high=8),
    )
    query = floats("float32", 1, 5, 2, 8)
    yield Case(
        "nn.dot_product_attention",
        lambda q: jax.nn.dot_product_attention(q, q, q),
        query,
    )
    for dtype in ("float32", "float64"):
        for name in SPECIAL:
            function = getattr(jsp.special, name)
            args = [floats(dtype, 4, 5, low=0.2, high=0.9, seed=s) for s in range(3)]
            count = {"xlogy": 2, "xlog1py": 2, "rel_entr": 2, "kl_div": 2, "betaln": 2,
                     "gammainc": 2, "gammaincc": 2, "zeta": 2, "betainc": 3, "poch": 2,
                     "hyp1f1": 3}.get(name, 1)  # fmt: skip
            if name == "zeta":
                args[0] = args[0] + np.asarray(1.5, dtype)
            if name == "polygamma":
                function = lambda v: jsp.special.polygamma(2, v)  # noqa: E731
            if name == "bernoulli":
                function = lambda v: v[0, 0] * jsp.special.bernoulli(6)  # noqa: E731
            yield Case(f"special.{name}", function, *args[:count])
        for name in DISTRIBUTIONS:
            for part in ("pdf", "logpdf", "cdf"):
                function = getattr(getattr(jsp.stats, name), part, None)
                if function:
                    yield Case(
                        f"stats.{name}.{part}",
                        function,
                        floats(dtype, 4, 5, low=0.1, high=0.9),
                    )


def linear_algebra():
    for dtype in ("float32", "float64"):
        base = floats(dtype, 5, 5)
        positive = (base @ base.T + 5 * np.eye(5)).astype(dtype)
        table = {
            "cholesky": lambda a: jnp.linalg.cholesky(a),
            "det": jnp.linalg.det,
            "slogdet": jnp.linalg.slogdet,
            "inv": jnp.linalg.inv,
            "pinv": jnp.linalg.pinv,
            "solve": lambda a: jnp.linalg.solve(a, a[0]),
            "lstsq": lambda a: jnp.linalg.lstsq(a, a[0])[0],
            "eigvalsh": jnp.linalg.eigvalsh,
            "eigh": lambda a: (lambda w, v: (w, (v * w) @ v.T))(*jnp.linalg.eigh(a)),
            "svdvals": lambda a: jnp.linalg.svd(a, compute_uv=False),
            "svd": lambda a: (lambda u, s, v: (u * s) @ v)(*jnp.linalg.svd(a)),
            "qr": lambda a: (lambda q, r: (q @ r, q.T @ q))(*jnp.linalg.qr(a)),
            "norm": jnp.linalg.norm,
            "norm-1": lambda a: jnp.linalg.norm(a, 1),
            "norm-2": lambda a: jnp.linalg.norm(a, 2),
            "matrix_power": lambda a: jnp.linalg.matrix_power(a / 10, 3),
            "matrix_rank": jnp.linalg.matrix_rank,
            "multi_dot": lambda a: jnp.linalg.multi_dot([a, a, a[0]]),
            "cond": jnp.linalg.cond,
            "triangular_solve": lambda a: jsp.linalg.solve_triangular(
                a, a[0], lower=True
            ),
            "cho_solve": lambda a: jsp.linalg.cho_solve(
                (jnp.linalg.cholesky(a), True), a[0]
            ),
            "lu": lambda a: (lambda p, l, u: p @ l @ u)(*jsp.linalg.lu(a)),
            "expm": lambda a: jsp.linalg.expm(a / 20),
            "grad-slogdet": jax.grad(lambda a: jnp.linalg.slogdet(a)[1]),
            "grad-cholesky": jax.grad(lambda a: jnp.sum(jnp.linalg.cholesky(a))),
        }
        for name, function in table.items():
            yield Case(
                f"linalg.{name}",
                function,
                positive,
                rtol=2e-3 if dtype == "float32" else 1e-9,
            )
    matrix = complex_numbers("complex64", 4, 4)
    for name in ("inv", "det"):
        yield Case(f"linalg.{name}", getattr(jnp.linalg, name), matrix, rtol=1e-3)


def random_numbers():
    table = {
        "bits": lambda k: jax.random.bits(k, (7,)),
        "bits-8": lambda k: jax.random.bits(k, (7,), "uint8"),
        "bits-64": lambda k: jax.random.bits(k, (7,), "uint64"),
        "uniform": lambda k: jax.random.uniform(k, (7,)),
        "uniform-64": lambda k: jax.random.uniform(k, (7,), "float64"),
        "randint": lambda k: jax.random.randint(k, (7,), -5, 90),
        "split": lambda k: jax.random.split(k, 3),
        "fold_in": lambda k: jax.random.fold_in(k, 5),
        "permutation": lambda k: jax.random.permutation(k, 12),
        "bernoulli": lambda k: jax.random.bernoulli(k, 0.3, (9,)),
        "choice": lambda k: jax.random.choice(k, 9, (4,)),
        "shuffle-rows": lambda k: jax.random.permutation(
            k, jnp.arange(12).reshape(4, 3)
        ),
        "rademacher": lambda k: jax.random.rademacher(k, (8,)),
    }
    key = np.array([0, 42], "uint32")
    for name, function in table.items():
        yield Case(f"random.{name}", function, key, exact=True)
    inexact = """normal exponential gumbel laplace logistic cauchy truncated
    gamma beta dirichlet poisson categorical t maxwell pareto weibull_min
    rayleigh triangular orthogonal multivariate_normal ball""".split()
    calls = {
        "truncated": lambda k: jax.random.truncated_normal(k, -1.0, 2.0, (6,)),
        "gamma": lambda k: jax.random.gamma(k, 2.5, (6,)),
        "beta": lambda k: jax.random.beta(k, 1.5, 2.5, (6,)),
        "dirichlet": lambda k: jax.random.dirichlet(k, jnp.array([1.0, 2.0, 3.0])),
        "poisson": lambda k: jax.random.poisson(k, 4.0, (6,)),
        "categorical": lambda k: jax.random.categorical(
            k, jnp.log(jnp.arange(1.0, 6)), shape=(6,)
        ),
        "t": lambda k: jax.random.t(k, 3.0, (6,)),
        "pareto": lambda k: jax.random.pareto(k, 3.0, (6,)),
        "weibull_min": lambda k: jax.random.weibull_min(k, 1.0, 2.0, (6,)),
        "rayleigh": lambda k: jax.random.rayleigh(k, 1.0, (6,)),
        "triangular": lambda k: jax.random.triangular(k, 0.0, 0.4, 1.0, (6,)),
        "orthogonal": lambda k: jax.random.orthogonal(k, 3),
        "multivariate_normal": lambda k: jax.random.multivariate_normal(
            k, jnp.zeros(2), jnp.eye(2)
        ),
        "ball": lambda k: jax.random.ball(k, 3),
    }
    for name in inexact:
        function = calls.get(name) or (
            lambda k, f=getattr(jax.random, name): f(k, (6,))
        )
        yield Case(f"random.{name}", function, key, rtol=1e-4)


def cases():
    yield from primitives()
    yield from structured()
    yield from control_flow()
    yield from transformed()
    yield from libraries()
    yield from linear_algebra()
    yield from random_numbers()
    yield Case("lax.select-truths", lambda p: lax.select(p, p, ~p), truths(3, 4))
