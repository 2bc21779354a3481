tokens = norm(z)[{leading}:]         # of the patches
q = W_q(probe).view({h}, 1, {d})   # one learned query
k, v = (W(tokens).view(-1, {h}, {d}).transpose(0, 1) for W in (W_k, W_v))
A = (q @ k.transpose(1, 2) / {d} ** 0.5).softmax(dim=-1)
m = W_o((A @ v).reshape(1, {D}))   # weighed patches
y = m + mlp(m)                 # the MLP normalises first
logits = head(y)               # (1, {classes})
p = logits.softmax(dim=-1)
