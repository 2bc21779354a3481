logits = x2 @ W_g.T + b_g        # (T, V)
log_p = logits - logits.logsumexp(-1, keepdim=True)
assert torch.allclose(log_p, logits.log_softmax(-1), atol=1e-5)
best = log_p[-1].topk(5)
