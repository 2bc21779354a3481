T = len(y)
later = torch.ones(T, T).triu(1).bool()
S = torch.randn({h}, T, T)
S = S.masked_fill(later, float("-inf"))
A = S.softmax(dim=-1)            # ({h}, T, T)
assert A[:, later].sum() == 0
