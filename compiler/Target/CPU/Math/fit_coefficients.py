"""Prints the coefficients of the polynomials in this folder (needs mpmath)."""

from mpmath import mp, mpf, chebyfit, exp, log, sin, cos, atan, asin, erf, erfc, sqrt, ln, pi, tan
mp.dps=60
def fit(name,f,a,b,n,single=False,weight=None):
    c,err=chebyfit(f,[mpf(a),mpf(b)],n,error=True)
    c=c[::-1]
    print(f"// {name}: degree {n-1}, error {mp.nstr(err,3)}")
    fmt="%.9gf" if single else "%.17g"
    print("{"+", ".join((("%.9g" if single else "%.17g") % float(x)) for x in c)+"}")
eps=mpf(10)**-40
L=log(mpf(2))/2
g=lambda r:(exp(r)-1-r)/(r*r) if abs(r)>1e-15 else mpf(1)/2+r/6
fit("expTail64 (e^r-1-r)/r^2",g,-L*1.001,L*1.001,11)
fit("expTail32",g,-L*1.001,L*1.001,5,True)
g2=lambda r:(mpf(2)**r-1)/r if abs(r)>1e-15 else log(mpf(2))
fit("exp2 (2^r-1)/r 64",g2,-.501,.501,13)
fit("exp2 32",g2,-.501,.501,7,True)
def atanhtail(z):
    if z<1e-20: return mpf(2)/3+2*z/5
    s=sqrt(z); return (log((1+s)/(1-s))-2*s)/(s*z)
zmax=((sqrt(mpf(2))-1)/(sqrt(mpf(2))+1))**2*1.001
fit("logTail64 (log((1+s)/(1-s))-2s)/(s z)",atanhtail,0,zmax,8)
fit("logTail32",atanhtail,0,zmax,4,True)
q=pi/4*1.001
def sint(z):
    if z<1e-20: return -mpf(1)/6+z/120
    s=sqrt(z); return (sin(s)-s)/(s*z)
def cost(z):
    if z<1e-12: return mpf(1)/24-z/720
    s=sqrt(z); return (cos(s)-1+z/2)/(z*z)
fit("sinTail64",sint,0,q*q,7)
fit("cosTail64",cost,0,q*q,7)
def atant(z):
    if z<1e-20: return -mpf(1)/3+z/5
    s=sqrt(z); return (atan(s)-s)/(s*z)
t8=tan(pi/8)*1.0001
fit("atanTail64",atant,0,t8*t8,13)
def asint(z):
    if z<1e-20: return mpf(1)/6+z*3/40
    s=sqrt(z); return (asin(s)-s)/(s*z)
fit("asinTail64",asint,0,mpf('0.2505'),14)
def erft(z):
    if z<1e-20: return 2/sqrt(pi)
    s=sqrt(z); return erf(s)/s
fit("erf64 erf(x)/x on x^2<1",erft,0,1,13)
fit("erf32 erf(x)/x on x^2<1",erft,0,1,7,True)
# erfcx with t=(x-K)/(x+K)
K=mpf('4')
def erfcxt(t):
    x=K*(1+t)/(1-t)
    return exp(x*x)*erfc(x)*(1+2*x)
mp.dps=80
a=(mpf('0.47')-K)/(mpf('0.47')+K); b=(mpf('28')-K)/(mpf('28')+K)
fit("erfcx64 (1+2x)erfcx(x), t=(x-4)/(x+4), x in [0.47,28]",erfcxt,a,b,27)
mp.dps=40
fit("erf32 log(erfc(x)) on [1,4]",lambda x:log(erfc(x)),mpf('0.99'),4,8,True)
def tanht(z):
    if z<1e-20: return -mpf(1)/3+2*z/15
    s=sqrt(z); return (mp.tanh(s)-s)/(s*z)
fit("tanh32 on |x|<0.625",tanht,0,mpf('0.4'),5,True)
def split(x,bits,n):
    out=[]
    for i in range(n):
        m,e=mp.frexp(x); s=mp.ldexp(mp.floor(mp.ldexp(m,bits)+mpf('.5')),-bits); v=mp.ldexp(s,e); 
        if i==n-1: v=x
        out.append("%.17g"%float(v)); x=x-v
    return out
print("ln2 f64 hi(32)lo",split(log(mpf(2)),32,2)); print("ln2 f32 hi lo",split(log(mpf(2)),15,2))
print("pi/2 parts 53", split(pi/2,53,3)); print("log10(2) hi lo", split(log(mpf(2))/log(mpf(10)),32,2)); print("1/ln10", split(1/log(mpf(10)),53,2)); print("1/ln2", split(1/log(mpf(2)),53,2)); print("ln2 53", split(log(mpf(2)),53,2), "pi",split(pi,53,2),"pi/4",split(pi/4,53,2))
# compiler/Conversion/StableHLOToLinalg/GammaFunctions.cpp and SpecialFunctions.cpp
from mpmath import besseli, digamma, euler, findroot, loggamma, zeta
mp.dps=40
half=mpf('0.5')
fit("lgamma(2+z)/z on [-1/2,1/2]",lambda z: loggamma(2+z).real/z if abs(z)>1e-20 else 1-euler,-half,half,19)
fit("lgamma(1+z)/z on [-1/2,1/2]",lambda z: loggamma(1+z).real/z if abs(z)>1e-20 else -euler,-half,half,30)
x0=findroot(digamma,mpf('1.4616321449683623'))
print("root of digamma",split(x0,53,2))
fit("digamma(1.5+z)/(1.5+z-root) on [-1/2,1/2]",lambda z: digamma(z+1.5)/(z+1.5-x0) if abs(z+1.5-x0)>mpf(10)**-18 else zeta(2,x0),-half,half,24)
fit("sqrt(x) i1e(x), w=16/x-1, x>=8",lambda w: sqrt(16/(w+1))*exp(-16/(w+1))*besseli(1,16/(w+1)) if w>-1+mpf(10)**-9 else 1/sqrt(2*pi),-1,1,26)
