d = q.shape[-1]                # {d}, not D = {D}
S = q @ k.transpose(1, 2) / d ** 0.5
assert S.shape == ({h}, {N}, {N})
