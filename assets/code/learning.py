with torch.enable_grad():
    z_0 = zs[0].clone().requires_grad_()
    out = z_0
    for layer in blocks:       # 12 in the figure
        out = layer(out)
    loss = F.cross_entropy(classify(out), true)  # the head
    slope, = torch.autograd.grad(loss, z_0)
length = slope.norm()          # ‖∂L/∂z₀‖
