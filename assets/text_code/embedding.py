D = {D}
s = torch.arange(len(ids))[:, None]
i = torch.arange(0, D, 2)[None]
angle = s / 10000 ** (i / D)     # (S + 1, {D} / 2)
P = torch.zeros(len(ids), D)
P[:, 0::2] = angle.sin()
P[:, 1::2] = angle.cos()
z = D ** 0.5 * E[ids] + P        # (S + 1, {D})
