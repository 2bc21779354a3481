# one learned vector, the same for every image
tokens = torch.cat([x_class[None], x_p])
assert tokens.shape == ({N}, {D})
