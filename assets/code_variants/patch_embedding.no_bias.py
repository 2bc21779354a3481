x_p = F.linear(patches, E)     # ({Np}, {D}), without a bias

# the same as a convolution, kernel = stride = P
kernel = E.view({D}, {C}, {P}, {P})
y = F.conv2d(x[None], kernel, stride={P})
assert torch.allclose(
    y[0].flatten(1).T, x_p, atol=1e-4)
