def attention(q, k, v):              # ({h}, S, {d})
    scores = q @ k.transpose(-2, -1)
    A = (scores / math.sqrt({d})).softmax(-1)
    return A * v  #!

class SelfAttention(nn.Module):
    # __init__: self.q, self.k, self.v, self.proj

    def cut(self, x):                # (S, {D})
        return x.view(-1, {h}, {d}).transpose(0, 1)

    def forward(self, z):
        q, k, v = (self.cut(f(z)) for f in (self.q, self.k, self.v))
        out = attention(q, k, v).transpose(0, 1)
        return self.proj(out.reshape(-1, {D}))
#?
    return A @ v  #=
    return A
    return v @ A
