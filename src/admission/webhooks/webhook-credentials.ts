import { textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { type HostCredentials, hostCredentials } from "../../webhooks/host-credentials.ts";

/** The credentials that the configuration of a plugin gives for webhooks: its kubeConfigFile is a text. @throws {ConfigurationError} */
export function webhookCredentials(configuration: JsonObject, plugin: string): HostCredentials {
  const text = textAt(configuration, "kubeConfigFile");
  const readFile = () => {
    throw new Error("the text of an option has no files: give the data instead");
  };
  return hostCredentials({ text, readFile }, `couldn't init admission plugin "${plugin}": kubeConfigFile`);
}
