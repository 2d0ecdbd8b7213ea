#kz.target<"plain" from "sm_80" {cp_async = false, mma_sync = false}>
