import { missingPlugins, pluginsOf } from "../admission/contract/plugin-order.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import type { OptionTitle, OptionType } from "../apimachinery/option-checks.ts";
import { listOf, text } from "../apimachinery/option-types.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import type { AuthorizationConfig } from "./authorization-options.ts";

/** Which admission plugins run. Their order is always upstream's. */
export interface AdmissionOptions {
  /** Admission plugins to run besides those that are on by default: `--enable-admission-plugins`. Default: none. */
  readonly enableAdmissionPlugins?: readonly string[];
  /** Admission plugins that do not run although they are on by default: `--disable-admission-plugins`. Default: none. */
  readonly disableAdmissionPlugins?: readonly string[];
}

/** What each option accepts. */
export const admissionOptionTypes: { readonly [option in keyof Required<AdmissionOptions>]: OptionType } = {
  enableAdmissionPlugins: listOf(text),
  disableAdmissionPlugins: listOf(text),
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
