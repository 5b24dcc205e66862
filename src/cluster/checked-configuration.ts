import type { Config } from "./options.ts";

/** The plugins that do not start with every configuration. */
const checkedPlugins = ["EventRateLimit", "ImagePolicyWebhook"];

/** The plugins that call webhooks. */
export const webhookPlugins: readonly string[] = ["MutatingAdmissionWebhook", "ValidatingAdmissionWebhook"];
/** The plugins whose configurations are checked if there are any. */
const configuredPlugins = ["ResourceQuota", ...webhookPlugins];

/** Whether the cluster has files of webhooks, authorizers and plugins, which are read before it starts. */
export function callsWebhooks({
  authentication,
  authorization,
  admission,
  admissionConfigurations,
}: Config): boolean {
  const { webhook, configuration } = authorization;
  if (configuredPlugins.some((name) => admissionConfigurations.has(name))) return true;
  if (checkedPlugins.some((name) => admission(name, false))) return true;
  return authentication.tokenWebhook !== undefined || webhook !== undefined || configuration !== undefined;
}
