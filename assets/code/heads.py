joined = out.transpose(0, 1).reshape({N}, {D})
msa = block.proj(joined)       # W_O, ({N}, {D})

# what each head adds on its own
W = block.proj.weight.view({D}, {h}, {d})
parts = torch.einsum("hnd,Dhd->hnD", out, W)
