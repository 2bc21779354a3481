z = zs[{block} - 1]            # into block {block}
mean = z.mean(-1, keepdim=True)            # ({N}, 1)
var = z.var(-1, unbiased=False, keepdim=True)
a = (z - mean) / (var + eps).sqrt()
a = a * block.ln1.weight + block.ln1.bias
ref = F.layer_norm(z, ({D},), block.ln1.weight,
    block.ln1.bias, eps)
assert torch.allclose(a, ref, atol=1e-4)
