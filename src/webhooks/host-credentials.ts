import { listAt, structAt, textAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { credentialsOf, parsedKubeconfig, type UserPart } from "./kubeconfig-connection.ts";
import { KubeconfigText } from "./kubeconfig-text.ts";
import type { KubeconfigFile } from "./webhook-target.ts";

/** The credentials of the server at a webhook, by its host and port, such as `webhook.policies.svc:443`. */
export type HostCredentials = (target: string) => UserPart;

/**
 * The credentials in a file in the format of a kubeconfig, whose users have the names of hosts: `webhook.policies.svc`, with or without a
 * port, `*.policies.svc` or `*`. Without one, the user of the current context counts. Upstream: apiserver, pkg/util/webhook/authentication.go.
 * @throws {ConfigurationError} that names the line, for a file that cannot be used
 */
export function hostCredentials(file: KubeconfigFile, title: string): HostCredentials {
  const text = new KubeconfigText(file, title);
  const config = parsedKubeconfig(file.text, title);
  const users = new Map<string, UserPart>();
  for (const entry of listAt(config, "users")) {
    const [name, user] = [textAt(entry, "name"), structAt(entry, "user")];
    if (textAt(user, "as") !== "") throw text.error("as is not supported here", "as", textAt(user, "as"));
    if (!users.has(name)) users.set(name, credentialsOf(user, name, text));
  }
  const current = users.get(userOfContext(config));
  return (target) => {
    const name = namesOf(target).find((each) => users.has(each)) ?? "*";
    return users.get(name) ?? current ?? { certificate: undefined, authorization: undefined };
  };
}

function userOfContext(config: JsonObject): string {
  const current = textAt(config, "current-context");
  const context = listAt(config, "contexts").find((each) => textAt(each, "name") === current);
  return context === undefined ? "" : textAt(structAt(context, "context"), "user");
}

/** The names of users that count for a host and a port, the best first. */
function namesOf(target: string): readonly string[] {
  const withoutPort = target.endsWith(":443") ? [target.slice(0, -":443".length)] : [];
  return [target, ...withoutPort].flatMap((host) => {
    const labels = host.split(".");
    return [host, ...labels.slice(1).map((_, i) => `*.${labels.slice(i + 1).join(".")}`)];
  });
}
