def split(x):                    # {h} heads of d = {d}
    return x.view(len(x), {h}, {d}).transpose(0, 1)

q, k, v = split(z @ W_Q), split(z @ W_K), split(z @ W_V)
S = q @ k.transpose(1, 2) / {d} ** 0.5
A = S.softmax(dim=-1)            # ({h}, S + 1, S + 1)
heads = A @ v                    # ({h}, S + 1, {d})
