A = S.softmax(dim=-1)          # ({h}, {N}, {N})
rows = A.sum(-1)               # each row is 1
assert torch.allclose(rows, torch.ones_like(rows))
