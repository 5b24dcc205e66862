import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, valueAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { containerLists, containersWithPath } from "../edits/container-paths.ts";

const maxSpecInKiB = 64;
const maxDomainLength = 256;
const maxUserLength = 104;

const netBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const dnsName = new RegExp(`^${label}(?:\\.${label})*$`);
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controlCharacters = /[\x00-\x1f\x7f]/;
const userCharacters = /["/\\:;|=,+*?<>@[\]]/;

/** Validates the Windows options of a container or pod. */
export function addWindowsOptions(errors: Findings, options: JsonObject | undefined, path: string): void {
  if (options === undefined) return;
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options;
  if (typeof gmsaCredentialSpecName === "string") {
    const messages = dnsSubdomainMessages(gmsaCredentialSpecName);
    addInvalid(errors, child(path, "gmsaCredentialSpecName"), gmsaCredentialSpecName, messages);
  }
  if (typeof gmsaCredentialSpec === "string") {
    const messages = credentialMessages(gmsaCredentialSpec);
    addInvalid(errors, child(path, "gmsaCredentialSpec"), gmsaCredentialSpec, messages);
  }
  if (typeof runAsUserName === "string") {
    const messages = userNameMessages(runAsUserName).map((message) => `runAsUserName${message}`);
    addInvalid(errors, child(path, "runAsUserName"), runAsUserName, messages);
  }
}

function credentialMessages(spec: string): readonly string[] {
  if (spec === "") return ["gmsaCredentialSpec cannot be an empty string"];
  if (utf8Length(spec) <= maxSpecInKiB * 1024) return [];
  return [`gmsaCredentialSpec size must be under ${maxSpecInKiB} KiB`];
}

/** The messages about a user name, without the path. */
function userNameMessages(name: string): readonly string[] {
  if (name === "") return [" cannot be an empty string"];
  if (controlCharacters.test(name)) return [" cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return [" cannot contain more than one backslash"];
  const [first = "", second] = parts;
  return second === undefined ? userMessages(first) : [...domainMessages(first), ...userMessages(second)];
}

function domainMessages(domain: string): readonly string[] {
  const messages: string[] = [];
  if (utf8Length(domain) >= maxDomainLength) {
    messages.push(`'s Domain length must be under ${maxDomainLength} characters`);
  }
  if (!netBiosName.test(domain) && !dnsName.test(domain)) {
    messages.push("'s Domain doesn't match the NetBios nor the DNS format");
  }
  return messages;
}

function userMessages(user: string): readonly string[] {
  const messages: string[] = [];
  if (user === "") messages.push("'s User cannot be empty");
  else if (utf8Length(user) > maxUserLength) {
    messages.push(`'s User length must not be longer than ${maxUserLength} characters`);
  }
  if (/^[. ]+$/.test(user)) messages.push("'s User cannot contain only periods or spaces");
  if (userCharacters.test(user)) {
    messages.push("'s User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
  }
  return messages;
}

/** Whether the pod or one of its containers has options of Windows, as few have. */
function hasWindowsOptions(spec: JsonObject): boolean {
  const hasOptions = (holder: JsonObject) =>
    objectAt(holder, "securityContext")?.["windowsOptions"] !== undefined;
  return hasOptions(spec) || containerLists.some((list) => listAt(spec, list).some(hasOptions));
}

/** Either all containers of a pod are HostProcess containers or none, and they require the host network. */
export function addHostProcess(errors: Findings, spec: JsonObject, path: string): void {
  if (!hasWindowsOptions(spec)) return;
  const ofPod = valueAt(spec, "securityContext", "windowsOptions", "hostProcess");
  let count = 0;
  let hostProcesses = 0;
  for (const { container, path: at } of containersWithPath(spec, path)) {
    count += 1;
    const ofContainer = valueAt(container, "securityContext", "windowsOptions", "hostProcess");
    if (ofPod !== undefined && ofContainer !== undefined && ofPod !== ofContainer) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      const field = child(at, "securityContext", "windowsOptions", "hostProcess");
      errors.push(fieldInvalid(field, ofContainer, detail));
    }
    if ((ofContainer ?? ofPod) === true) hostProcesses += 1;
  }
  if (hostProcesses === 0) return;
  if (hostProcesses !== count) {
    const detail =
      "If pod contains any hostProcess containers then all containers must be HostProcess containers";
    errors.push(fieldInvalid(path, "", detail));
  }
  if (spec["hostNetwork"] === true) return;
  const detail = "hostNetwork must be true if pod contains any hostProcess containers";
  errors.push(fieldInvalid(child(path, "hostNetwork"), false, detail));
}
