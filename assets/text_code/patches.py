image = torch.randn(3, 32, 32)
patches = F.unfold(image[None], 8, stride=8)[0].T  # (16, 192)
words = patches @ E_patch        # a linear map, no table
z = torch.cat([x_class[None], words]) + E_pos      # (17, {D})
for block in encoder:            # the same blocks
    z = block(z)
