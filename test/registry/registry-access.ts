import type { Clock } from "../../src/apimachinery/clock.ts";
import { noOpinion } from "../../src/authentication/contract/authenticator.ts";
import { alwaysAllow } from "../../src/authorization/always.ts";
import type { RegistryAccess } from "../../src/cluster/served-state.ts";
import { ConversionMetrics } from "../../src/registry/contract/conversion-metrics.ts";
import { ExpressionMetrics } from "../../src/registry/contract/expression-metrics.ts";
import { RepeatedErrors } from "../../src/registry/contract/repeated-errors.ts";

const nothing = () => undefined;

/** What a registry needs besides the configuration and the state: every user may do everything, and nothing else is connected. */
export function registryAccess(clock: Clock): RegistryAccess {
  return {
    podConnections: {
      log: nothing,
      exec: nothing,
      attach: nothing,
      portForward: nothing,
      kubelet: nothing,
      proxy: nothing,
      proxyToService: nothing,
    },
    authorizationOf: alwaysAllow,
    revocable: (authorization) => authorization,
    updateStatus: async (object) => object,
    authenticateToken: () => noOpinion,
    callConversionWebhook: () => Promise.reject(new Error("no webhook")),
    conversionMetrics: new ConversionMetrics(),
    expressionMetrics: new ExpressionMetrics(clock),
    repeatedErrors: new RepeatedErrors(),
  };
}
