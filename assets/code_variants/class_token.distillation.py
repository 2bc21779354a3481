# two learned vectors, the same for every image
tokens = torch.cat([x_class[None], x_dist[None], x_p])
assert tokens.shape == ({N}, {D})
