mean = z.mean(-1, keepdim=True)            # ({N}, 1)
var = z.var(-1, unbiased=False, keepdim=True)
a = (z - mean) / (var + eps).sqrt()
# The Annotated Transformer: s unbiased, ε outside
s = z.std(-1, keepdim=True)    # divided by D − 1
other = (z - mean) / (s + eps)
difference = (other - a).abs().max()
# a batch norm: one feature over all tokens of all
# images of the batch, batch.mean((0, 1))
