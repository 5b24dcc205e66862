import type { KubeconfigFile, ReviewFunction } from "../../webhooks/webhook-target.ts";
import type { NamedMode } from "../union.ts";

/** Where an AuthorizationConfiguration comes from. */
export interface AuthorizationConfigurationSource {
  /** The text, or a function that returns the present one or throws if it cannot be read. */
  readonly text: string | (() => string);
  /** Hears why a text that has changed is not in use. */
  readonly onReloadError: (error: unknown) => void;
  /** The functions that take the place of addresses, by the names of their authorizers. */
  readonly webhooks: ReadonlyMap<string, ReviewFunction>;
  readonly readFile: KubeconfigFile["readFile"];
  /** Names the option or the flag in errors. */
  readonly title: string;
  /** Whether there are policies for the mode ABAC. */
  readonly hasPolicies: boolean;
}

/** The authorizers of a configuration, in order: the same list until the configuration changes. */
export type ConfiguredAuthorizers = () => readonly NamedMode[];
