p = 0.1                        # in training only
torch.manual_seed(1)
m = torch.rand_like(hidden) >= p  # 1: stays
y = m * hidden / (1 - p)       # ({N}, {M})
y = F.dropout(hidden, p, training=False)  # off
