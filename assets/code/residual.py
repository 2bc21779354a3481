z_mid = msa + z                # Eq. 2, ({N}, {D})
ratio = msa.norm(dim=-1) / z.norm(dim=-1)
