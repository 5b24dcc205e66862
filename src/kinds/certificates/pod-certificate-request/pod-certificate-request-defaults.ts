import { type Defaulter, inStruct, whenUnset } from "../../defaulting/defaulter.ts";

export const podCertificateRequestDefaults: Defaulter = inStruct(
  "spec",
  whenUnset({ maxExpirationSeconds: 86_400 }),
);
