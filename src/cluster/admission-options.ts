import type { PluginConfigurations } from "../admission/contract/plugin-configuration.ts";
import { missingPlugins, pluginsOf } from "../admission/contract/plugin-order.ts";
import { listAt, textAt } from "../apimachinery/fields.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import { isJsonObject, type JsonObject } from "../apimachinery/json.ts";
import { type OptionTitle, type OptionType, unknownName } from "../apimachinery/option-checks.ts";
import { listOf, text } from "../apimachinery/option-types.ts";
import type { Release, Since } from "../apimachinery/release.ts";
import { toJson } from "../apimachinery/to-json.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import type { AuthorizationConfig } from "./authorization-options.ts";
import { isObject } from "./option-types.ts";

/** Which admission plugins run. Their order is always upstream's. */
export interface AdmissionOptions {
  /** Admission plugins to run besides those that are on by default: `--enable-admission-plugins`. Default: none. */
  readonly enableAdmissionPlugins?: readonly string[];
  /** Admission plugins that do not run although they are on by default: `--disable-admission-plugins`. Default: none. */
  readonly disableAdmissionPlugins?: readonly string[];
  /**
   * The configurations of plugins, an AdmissionConfiguration: `--admission-control-config-file`. EventRateLimit,
   * ImagePolicyWebhook, MutatingAdmissionWebhook, ValidatingAdmissionWebhook (whose `kubeConfigFile` is the text of the kubeconfig here), PodNodeSelector, PodSecurity,
   * PodTolerationRestriction and ResourceQuota take one. Default: none.
   */
  readonly admissionControlConfigFile?: object;
}

/** What each option accepts. */
export const admissionOptionTypes: { readonly [option in keyof Required<AdmissionOptions>]: OptionType } = {
  enableAdmissionPlugins: listOf(text),
  disableAdmissionPlugins: listOf(text),
  admissionControlConfigFile: { accepts: "an AdmissionConfiguration, an object", isValid: isObject },
};

/** Whether a plugin of the release runs. */
export type PluginSwitch = (name: string, isDefault: boolean) => boolean;

/**
 * Which plugins run. Installers turn NodeRestriction on with the authorization mode `Node`. Upstream: apiserver,
 * pkg/server/options/admission.go.
 * @throws {Error} for a plugin that the release does not have, that does not exist here, or that is in both lists
 */
export function completeAdmissionOptions(
  { enableAdmissionPlugins: enabled = [], disableAdmissionPlugins: disabled = [] }: AdmissionOptions,
  title: OptionTitle,
  { since }: FeatureGates,
  { modes, configuration }: AuthorizationConfig,
): PluginSwitch {
  const known: readonly string[] = pluginsOf(since).map(({ name }) => name);
  checkNames(enabled, known, "enable-admission-plugins");
  checkNames(disabled, known, "disable-admission-plugins");
  const both = enabled.filter((name) => disabled.includes(name));
  if (both.length > 0) {
    const flags = "enable-admission-plugins and disable-admission-plugins";
    throw new Error(`[${both.join(" ")}] in ${flags} overlapped`);
  }
  const missing = enabled.find((name) => missingPlugins.has(name));
  if (missing !== undefined) {
    throw new Error(`${title("enableAdmissionPlugins")}: the plugin ${missing} is not available here`);
  }
  const restrictsNodes = modes.includes("Node") || configuration !== undefined;
  return (name, isDefault) => {
    if (disabled.includes(name)) return false;
    return isDefault || enabled.includes(name) || (name === "NodeRestriction" && restrictsNodes);
  };
}

function checkNames(names: readonly string[], known: readonly string[], flag: string): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${flag} plugin ${goQuote(unknown)} is unknown`);
}

/** The versions of AdmissionConfiguration. Upstream: apiserver, pkg/apis/apiserver. */
const versions = ["apiserver.config.k8s.io/v1", "apiserver.k8s.io/v1alpha1"];

/** A kind of configurations, and the first release that has each of its versions. */
interface ConfigurationKind {
  readonly kind: string;
  readonly versions: { readonly [apiVersion: string]: Release };
}

const all: Release = "1.16";

const webhookKinds: readonly ConfigurationKind[] = [
  { kind: "WebhookAdmissionConfiguration", versions: { "apiserver.config.k8s.io/v1": "1.17" } },
  { kind: "WebhookAdmission", versions: { "apiserver.config.k8s.io/v1alpha1": all } },
];

/** The plugins whose configuration has an effect here, with its kinds; none for a configuration without a kind. */
const configurable: ReadonlyMap<string, readonly ConfigurationKind[]> = new Map([
  [
    "EventRateLimit",
    [{ kind: "Configuration", versions: { "eventratelimit.admission.k8s.io/v1alpha1": all } }],
  ],
  ["ImagePolicyWebhook", []],
  ["MutatingAdmissionWebhook", webhookKinds],
  ["PodNodeSelector", []],
  [
    "PodSecurity",
    [
      {
        kind: "PodSecurityConfiguration",
        versions: {
          "pod-security.admission.config.k8s.io/v1": "1.25",
          "pod-security.admission.config.k8s.io/v1beta1": "1.23",
          "pod-security.admission.config.k8s.io/v1alpha1": "1.22",
        },
      },
    ],
  ],
  [
    "PodTolerationRestriction",
    [{ kind: "Configuration", versions: { "podtolerationrestriction.admission.k8s.io/v1alpha1": all } }],
  ],
  [
    "ResourceQuota",
    [
      { kind: "ResourceQuotaConfiguration", versions: { "apiserver.config.k8s.io/v1": "1.17" } },
      {
        kind: "Configuration",
        versions: {
          "resourcequota.admission.k8s.io/v1beta1": all,
          "resourcequota.admission.k8s.io/v1alpha1": all,
        },
      },
    ],
  ],
  ["ValidatingAdmissionWebhook", webhookKinds],
]);

/** The configurations of plugins. @throws {Error} for what is no AdmissionConfiguration, and for one without effect */
export function completePluginConfigurations(
  { admissionControlConfigFile: file }: AdmissionOptions,
  title: OptionTitle,
  { since }: FeatureGates,
): PluginConfigurations {
  if (file === undefined) return new Map();
  const problem = (text: string) => new Error(`${title("admissionControlConfigFile")}: ${text}`);
  const configuration = toJson(file);
  if (!isJsonObject(configuration)) throw problem("not an object");
  if (isOldFormat(configuration)) return new Map(oldFormatPlugins.map((name) => [name, configuration]));
  const [apiVersion, kind] = [textAt(configuration, "apiVersion"), textAt(configuration, "kind")];
  if (kind !== "AdmissionConfiguration" || !versions.includes(apiVersion)) {
    const scheme = "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30";
    throw problem(
      `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme ${goQuote(scheme)}`,
    );
  }
  const known: readonly string[] = pluginsOf(since).map(({ name }) => name);
  return new Map(
    listAt(configuration, "plugins").map((plugin) => {
      const name = textAt(plugin, "name");
      if (!known.includes(name)) throw unknownName(problem("unknown plugin").message, name, known);
      return [name, configurationOf(plugin, name, since, problem)];
    }),
  );
}

const oldFormatPlugins = ["ImagePolicyWebhook", "PodNodeSelector"];

/** Whether the file is not an AdmissionConfiguration but that of these plugins. Upstream: apiserver, pkg/admission/config.go. */
function isOldFormat(file: JsonObject): boolean {
  const isPluginFile = "imagePolicy" in file || "podNodeSelectorPluginConfig" in file;
  return isPluginFile && file["kind"] === undefined && file["apiVersion"] === undefined;
}

/** @throws {Error} */
function configurationOf(
  plugin: JsonObject,
  name: string,
  since: Since,
  problem: (text: string) => Error,
): JsonObject {
  const kinds = configurable.get(name);
  if (kinds === undefined) throw problem(`the configuration of the plugin ${name} has no effect here`);
  const { configuration } = plugin;
  if (!isJsonObject(configuration)) throw problem(`the plugin ${name} needs a configuration, an object`);
  const forms = kinds.flatMap(({ kind, versions }) =>
    Object.entries(versions)
      .filter(([, first]) => since(first))
      .map(([apiVersion]) => `${apiVersion}, Kind=${kind}`),
  );
  const given = `${textAt(configuration, "apiVersion")}, Kind=${textAt(configuration, "kind")}`;
  if (kinds.length > 0 && !forms.includes(given)) {
    throw problem(`the configuration of the plugin ${name} is ${given}; it must be ${forms.join(" or ")}`);
  }
  return configuration;
}
