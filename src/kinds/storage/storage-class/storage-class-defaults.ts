import { type Defaulter, whenUnset } from "../../defaulting/defaulter.ts";

/** StorageClass. Upstream: pkg/apis/storage/v1/defaults.go, SetDefaults_StorageClass. */
export const storageClassDefaults: Defaulter = whenUnset({
  reclaimPolicy: "Delete",
  volumeBindingMode: "Immediate",
});
