import {
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
} from "../../../apimachinery/errors/field.ts";
import { integerAt, objectAt, sizeAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { sortedKeys } from "../../../apimachinery/text-order.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child, key } from "../../../apimachinery/validation/field-path.ts";
import {
  addInvalid,
  addLabel,
  addUnlessIn,
  type Findings,
} from "../../../apimachinery/validation/findings.ts";
import { inclusiveRange } from "../../../apimachinery/validation/format-messages.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { addLogicalUnit, podIscsi } from "./iscsi.ts";
import { addBacksteps, addDescendingPath } from "./paths.ts";

/** Validates one source of a volume. */
export type SourceValidator = (errors: Findings, source: JsonObject, path: string) => void;

const hostPathTypes = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];
const cachingModes = ["None", "ReadOnly", "ReadWrite"];
const diskKinds = ["Dedicated", "Managed", "Shared"];
const managedDisk =
  "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const blobDisk = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";
const hostPorts = "must be a host:port pair or multiple pairs separated by commas";

/** The sources that pods and PersistentVolumes share, by field. */
export const sharedSources: ReadonlyMap<string, SourceValidator> = new Map([
  ["hostPath", hostPath],
  ["gcePersistentDisk", (errors, disk, path) => cloudDisk(errors, disk, path, "pdName")],
  ["awsElasticBlockStore", (errors, disk, path) => cloudDisk(errors, disk, path, "volumeID")],
  ["nfs", nfs],
  ["glusterfs", required("endpoints", "path")],
  ["flocker", flocker],
  ["rbd", required("monitors", "image")],
  ["cinder", (errors, cinder, path) => withSecret(errors, cinder, path, "volumeID")],
  ["cephfs", required("monitors")],
  ["quobyte", quobyte],
  ["fc", fibreChannel],
  ["flexVolume", flexVolume],
  ["azureFile", required("secretName", "shareName")],
  ["vsphereVolume", required("volumePath")],
  ["photonPersistentDisk", required("pdID")],
  ["portworxVolume", required("volumeID")],
  ["azureDisk", azureDisk],
  ["storageos", storageOs],
  ["scaleIO", required("gateway", "system", "volumeName")],
]);

/** The sources of pods only, except for those with files or a claim. */
export const podSources: ReadonlyMap<string, SourceValidator> = new Map([
  ["emptyDir", emptyDir],
  ["gitRepo", gitRepo],
  ["persistentVolumeClaim", required("claimName")],
  ["iscsi", podIscsi],
  ["csi", csi],
]);

/** Requires fields, in this order. */
function required(...fields: readonly string[]): SourceValidator {
  return (errors, source, path) => {
    for (const field of fields) {
      if (!textAt(source, field) && sizeAt(source, field) === 0)
        errors.push(fieldRequired(child(path, field)));
    }
  };
}

function emptyDir(errors: Findings, source: JsonObject, path: string): void {
  const limit = textAt(source, "sizeLimit");
  if (limit === "" || parseQuantity(limit).sign >= 0) return;
  errors.push(fieldForbidden(child(path, "sizeLimit"), "SizeLimit field must be a valid resource quantity"));
}

function hostPath(errors: Findings, source: JsonObject, path: string): void {
  const at = textAt(source, "path");
  if (at === "") {
    errors.push(fieldRequired(child(path, "path")));
    return;
  }
  addBacksteps(errors, at, child(path, "path"));
  addUnlessIn(errors, hostPathTypes, source["type"], child(path, "type"));
}

function gitRepo(errors: Findings, source: JsonObject, path: string): void {
  required("repository")(errors, source, path);
  addDescendingPath(errors, textAt(source, "directory"), child(path, "directory"));
}

function cloudDisk(errors: Findings, disk: JsonObject, path: string, name: string): void {
  required(name)(errors, disk, path);
  const partition = integerAt(disk, "partition");
  if (partition >= 0 && partition <= 255) return;
  errors.push(fieldInvalid(child(path, "partition"), partition, inclusiveRange(1, 255)));
}

function nfs(errors: Findings, source: JsonObject, path: string): void {
  required("server", "path")(errors, source, path);
  const at = textAt(source, "path");
  if (!at.startsWith("/")) errors.push(fieldInvalid(child(path, "path"), at, "must be an absolute path"));
}

function flocker(errors: Findings, source: JsonObject, path: string): void {
  const name = textAt(source, "datasetName");
  const uuid = textAt(source, "datasetUUID");
  if (name === "" && uuid === "") {
    errors.push(fieldRequired(path, "one of datasetName and datasetUUID is required"));
  }
  if (name !== "" && uuid !== "") {
    const detail = "datasetName and datasetUUID can not be specified simultaneously";
    errors.push(fieldInvalid(path, "resource", detail));
  }
  if (name.includes("/")) {
    errors.push(fieldInvalid(child(path, "datasetName"), name, "must not contain '/'"));
  }
}

function withSecret(errors: Findings, source: JsonObject, path: string, name: string): void {
  required(name)(errors, source, path);
  addSecretName(errors, source, path);
}

function addSecretName(errors: Findings, source: JsonObject, path: string): void {
  const secret = objectAt(source, "secretRef");
  if (secret && !textAt(secret, "name")) errors.push(fieldRequired(child(path, "secretRef", "name")));
}

function quobyte(errors: Findings, source: JsonObject, path: string): void {
  const registry = textAt(source, "registry");
  if (registry === "") errors.push(fieldRequired(child(path, "registry"), hostPorts));
  else if (utf8Length(textAt(source, "tenant")) >= 65) {
    const detail = "must be a UUID and may not exceed a length of 64 characters";
    errors.push(fieldRequired(child(path, "tenant"), detail));
  } else {
    const wrong = registry.split(",").filter((pair) => !isHostPort(pair));
    addInvalid(
      errors,
      child(path, "registry"),
      registry,
      wrong.map(() => hostPorts),
    );
  }
  required("volume")(errors, source, path);
}

/** Whether Go's `net.SplitHostPort` accepts it. */
function isHostPort(pair: string): boolean {
  const bracketed = /^\[[^[\]]*\]:[^[\]:]*$/;
  return pair.startsWith("[") ? bracketed.test(pair) : /^[^[\]:]*:[^[\]:]*$/.test(pair);
}

function fibreChannel(errors: Findings, source: JsonObject, path: string): void {
  const names = textsAt(source, "targetWWNs");
  const ids = textsAt(source, "wwids");
  const field = child(path, "targetWWNs");
  if (names.length === 0 && ids.length === 0) {
    errors.push(fieldRequired(field, "must specify either targetWWNs or wwids, but not both"));
  }
  if (names.length === 0) return;
  if (ids.length > 0) {
    const detail = "targetWWNs and wwids can not be specified simultaneously";
    errors.push(fieldInvalid(field, go.stringSlice(names), detail));
  }
  if (source["lun"] !== undefined) addLogicalUnit(errors, integerAt(source, "lun"), child(path, "lun"));
  else errors.push(fieldRequired(child(path, "lun"), "lun is required if targetWWNs is specified"));
}

function flexVolume(errors: Findings, source: JsonObject, path: string): void {
  required("driver")(errors, source, path);
  for (const option of sortedKeys(objectAt(source, "options") ?? {})) {
    const domain = `.${(option.split("/")[0] ?? "").toLowerCase()}`;
    if (!domain.endsWith(".kubernetes.io") && !domain.endsWith(".k8s.io")) continue;
    const detail = "kubernetes.io and k8s.io namespaces are reserved";
    errors.push(fieldInvalid(key(child(path, "options"), option), option, detail));
  }
}

function azureDisk(errors: Findings, source: JsonObject, path: string): void {
  required("diskName", "diskURI")(errors, source, path);
  addUnlessIn(errors, cachingModes, source["cachingMode"], child(path, "cachingMode"));
  const { kind } = source;
  addUnlessIn(errors, diskKinds, kind, child(path, "kind"));
  if (kind === undefined) return;
  const uri = textAt(source, "diskURI");
  const [prefix, form] = kind === "Managed" ? ["/subscriptions/", managedDisk] : ["https://", blobDisk];
  if (!uri.startsWith(prefix)) errors.push(fieldNotSupported(child(path, "diskURI"), uri, [form]));
}

function storageOs(errors: Findings, source: JsonObject, path: string): void {
  const name = textAt(source, "volumeName");
  const namespace = textAt(source, "volumeNamespace");
  if (name === "") errors.push(fieldRequired(child(path, "volumeName")));
  else addLabel(errors, name, child(path, "volumeName"));
  if (namespace !== "") addLabel(errors, namespace, child(path, "volumeNamespace"));
  addSecretName(errors, source, path);
}

function csi(errors: Findings, source: JsonObject, path: string): void {
  addDriverName(errors, textAt(source, "driver"), child(path, "driver"));
  const secret = objectAt(source, "nodePublishSecretRef");
  if (secret === undefined) return;
  const name = textAt(secret, "name");
  if (name === "") errors.push(fieldRequired(child(path, "nodePublishSecretRef", "name")));
  else addInvalid(errors, child(path, "name"), name, dnsSubdomainMessages(name));
}

/** Validates the name of a CSI driver. */
export function addDriverName(errors: Findings, name: string, field: string): void {
  if (name === "") errors.push(fieldRequired(field));
  if (utf8Length(name) > 63) errors.push(fieldTooLong(field, 63));
  addInvalid(errors, field, name, dnsSubdomainMessages(name.toLowerCase()));
}

/** Validates a file mode between 0 and 0777. */
export function addFileMode(errors: Findings, source: JsonObject, name: string, path: string): void {
  if (source[name] === undefined) return;
  const mode = integerAt(source, name);
  if (mode >= 0 && mode <= 0o777) return;
  const detail = "must be a number between 0 and 0777 (octal), both inclusive";
  errors.push(fieldInvalid(child(path, name), mode, detail));
}
