export { fetchFromIssuer, type IssuerRequestOptions } from "./fetch-from-issuer.ts";
export { type ServeOptions, type Serving, type ServingKubeconfigOptions, serve } from "./serve.ts";
export {
  type IssuerServing,
  type ServedIssuer,
  type ServeIssuerOptions,
  serveIssuer,
} from "./serve-issuer.ts";
