import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import {
  addInvalid,
  addLabel,
  addSubdomain,
  type Findings,
} from "../../../apimachinery/validation/findings.ts";
import { dnsLabelMessages } from "../../../apimachinery/validation/names.ts";
import { persistentIscsi } from "../../pod-spec/validation/iscsi.ts";
import { addBacksteps } from "../../pod-spec/validation/paths.ts";
import {
  addDriverName,
  type SourceValidator,
  sharedSources,
} from "../../pod-spec/validation/volume-sources.ts";

/**
 * A source of a volume: its field, and its validation. The order is upstream's, which decides which source is the
 * second one.
 */
export interface VolumeSource {
  readonly name: string;
  /** The path of errors within the source, if it differs from the field. */
  readonly path?: string;
  /** The name of the source in the error that it is one too many. */
  readonly surplus?: string;
  readonly check: (errors: Findings, source: JsonObject, path: string, volume: string) => void;
}

/** The sources of a PersistentVolume in upstream's order. */
export const volumeSources: readonly VolumeSource[] = [
  { name: "hostPath", check: shared("hostPath") },
  { name: "gcePersistentDisk", path: "persistentDisk", check: shared("gcePersistentDisk") },
  { name: "awsElasticBlockStore", check: shared("awsElasticBlockStore") },
  { name: "glusterfs", check: both("glusterfs", endpointsNamespace) },
  { name: "flocker", check: shared("flocker") },
  { name: "nfs", check: shared("nfs") },
  { name: "rbd", check: shared("rbd") },
  { name: "quobyte", check: shared("quobyte") },
  { name: "cephfs", surplus: "cephFS", check: shared("cephfs") },
  { name: "iscsi", check: persistentIscsi },
  { name: "cinder", check: both("cinder", secretNamespace) },
  { name: "fc", check: shared("fc") },
  { name: "flexVolume", check: shared("flexVolume") },
  { name: "azureFile", check: both("azureFile", azureSecretNamespace) },
  { name: "vsphereVolume", check: shared("vsphereVolume") },
  { name: "photonPersistentDisk", check: shared("photonPersistentDisk") },
  { name: "portworxVolume", check: shared("portworxVolume") },
  { name: "azureDisk", check: shared("azureDisk") },
  { name: "scaleIO", check: shared("scaleIO") },
  { name: "local", check: local },
  { name: "storageos", check: both("storageos", secretNamespace) },
  { name: "csi", check: csi },
];

/** The fields of the sources. */
export const volumeSourceNames: readonly string[] = volumeSources.map(({ name }) => name);

function shared(name: string): SourceValidator {
  const check = sharedSources.get(name);
  if (check === undefined) throw new Error(`volumes have no source ${name}`);
  return check;
}

function both(name: string, then: SourceValidator): SourceValidator {
  const first = shared(name);
  return (errors, source, path) => {
    first(errors, source, path);
    then(errors, source, path);
  };
}

function endpointsNamespace(errors: Findings, source: JsonObject, path: string): void {
  const namespace = source["endpointsNamespace"];
  if (typeof namespace !== "string") return;
  const field = child(path, "endpointsNamespace");
  if (namespace === "") {
    const detail = "if the endpointnamespace is set, it must be a valid namespace name";
    errors.push(fieldInvalid(field, namespace, detail));
  } else addInvalid(errors, field, namespace, dnsLabelMessages(namespace));
}

function secretNamespace(errors: Findings, source: JsonObject, path: string): void {
  const secret = objectAt(source, "secretRef");
  if (secret === undefined || textAt(secret, "namespace")) return;
  errors.push(fieldRequired(child(path, "secretRef", "namespace")));
}

function azureSecretNamespace(errors: Findings, source: JsonObject, path: string): void {
  if (source["secretNamespace"] === "") errors.push(fieldRequired(child(path, "secretNamespace")));
}

function local(errors: Findings, source: JsonObject, path: string): void {
  const at = textAt(source, "path");
  if (at === "") errors.push(fieldRequired(child(path, "path")));
  else addBacksteps(errors, at, child(path, "path"));
}

function csi(errors: Findings, source: JsonObject, path: string): void {
  addDriverName(errors, textAt(source, "driver"), child(path, "driver"));
  if (!textAt(source, "volumeHandle")) errors.push(fieldRequired(child(path, "volumeHandle")));
  for (const name of [
    "controllerPublishSecretRef",
    "controllerExpandSecretRef",
    "nodePublishSecretRef",
    "nodeExpandSecretRef",
  ]) {
    const secret = objectAt(source, name);
    if (secret !== undefined) secretReference(errors, secret, child(path, name));
  }
}

function secretReference(errors: Findings, secret: JsonObject, path: string): void {
  const [name, namespace] = [textAt(secret, "name"), textAt(secret, "namespace")];
  if (name === "") errors.push(fieldRequired(child(path, "name")));
  else addSubdomain(errors, name, child(path, "name"));
  if (namespace === "") errors.push(fieldRequired(child(path, "namespace")));
  else addLabel(errors, namespace, child(path, "namespace"));
}
