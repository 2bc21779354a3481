def later(T):                        # True: is not seen
    ones = torch.ones(T, T)
    return torch.triu(ones, diagonal=2).bool()  #!

class MaskedAttention(nn.Module):
    # __init__: self.q, self.k, self.v, self.proj
    def cut(self, x):                # (T, {D})
        return x.view(-1, {h}, {d}).transpose(0, 1)

    def forward(self, y):            # the words so far, (T, {D})
        q = self.cut(self.q(y))      # ({h}, T, {d})
        k, v = self.cut(self.k(y)), self.cut(self.v(y))
        S = q @ k.transpose(1, 2) / math.sqrt({d})
        S = S.masked_fill(later(len(y)), -math.inf)
        out = (S.softmax(-1) @ v).transpose(0, 1)
        return self.proj(out.reshape(-1, {D}))
#?
    return torch.triu(ones, diagonal=0).bool()
    return torch.tril(ones, diagonal=-1).bool()
    return torch.triu(ones, diagonal=1).bool()  #=
