import { isNotFound } from "../apimachinery/errors/error-predicates.ts";
import type { OptionType } from "../apimachinery/option-checks.ts";
import { checkValue } from "../apimachinery/option-checks.ts";
import type { ApiServerTarget } from "../endpoints/contract/api-server-target.ts";
import type { ApiServerTargets } from "./api-server-targets.ts";
import type { ClusterClient } from "./client.ts";

const apiVersion = "apiregistration.k8s.io/v1";

const targetType: OptionType = {
  accepts: "a function that answers requests, or an https URL without a path",
  isValid: (value) => typeof value === "function" || (typeof value === "string" && isAddress(value)),
};

/**
 * Lets a target answer for an APIService, which is created if it is missing: with the priorities of metrics-server, and a Service
 * that need not exist.
 * @throws {Error} for a name that is not `<version>.<group>`, and for another target; a StatusError if the server refuses the APIService
 */
export async function registerApiService(
  name: string,
  target: ApiServerTarget,
  client: Pick<ClusterClient, "get" | "create">,
  targets: ApiServerTargets,
): Promise<void> {
  const [, version, group] = /^([^.]+)\.(.+)$/.exec(name) ?? [];
  if (version === undefined || group === undefined) {
    throw new Error(
      `apiServer: ${JSON.stringify(name)} must be <version>.<group>, such as "v1beta1.metrics.k8s.io"`,
    );
  }
  checkValue(`apiServer: the server of ${name}`, target, targetType);
  targets.set(name, target);
  try {
    await client.get(apiVersion, "APIService", name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const service = { namespace: "default", name: name.replaceAll(".", "-"), port: 443 };
    const trust = { insecureSkipTLSVerify: true };
    const priorities = { groupPriorityMinimum: 100, versionPriority: 100 };
    const spec = { group, version, service, ...trust, ...priorities };
    await client.create({ apiVersion, kind: "APIService", metadata: { name }, spec });
  }
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, search, hash } = new URL(text);
  return protocol === "https:" && pathname === "/" && search === "" && hash === "";
}
