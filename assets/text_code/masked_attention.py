x = D ** 0.5 * E_y[y] + P_y[:len(y)]
block = decoder[0]
a = block.self_attention(x, x, mask=later)
x1 = block.norm1(x + a)          # (T, {D})
# a later word changes nothing before it
other = torch.cat([x[:-1], torch.randn(1, {D})])
b = block.self_attention(other, other, mask=later)
assert torch.allclose(a[:-1], b[:-1], atol=1e-5)
