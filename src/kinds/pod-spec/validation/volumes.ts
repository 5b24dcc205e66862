import {
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { worded } from "../../../apimachinery/errors/wording.ts";
import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addAll, addInvalid, addUnlessIn, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { addClaimTemplate } from "./claim-template.ts";
import { pullPolicies } from "./container.ts";
import {
  addConfigMapVolume,
  addDownwardVolume,
  addProjectedVolume,
  addSecretVolume,
} from "./file-volumes.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";
import type { Volumes } from "./volume-mounts.ts";
import { podSources, sharedSources } from "./volume-sources.ts";

type Validator = (errors: Findings, source: JsonObject, path: string, options: PodValidationOptions) => void;

/** One kind of volume. */
interface Source {
  readonly field: string;
  /** The name of the source in the error that it is one too many, which is not always the field. */
  readonly refusedAs: string;
  readonly path: string;
  readonly validate: Validator;
}

const holders: ReadonlyMap<string, Validator> = new Map<string, Validator>([
  ["secret", addSecretVolume],
  ["configMap", addConfigMapVolume],
  ["downwardAPI", addDownwardVolume],
  ["projected", addProjectedVolume],
  ["ephemeral", addClaimTemplate],
  ["image", image],
]);

/** In upstream's order, which decides which source is one too many. */
const sources: readonly Source[] = [
  "emptyDir",
  "hostPath",
  "gitRepo",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "secret",
  "nfs",
  "iscsi",
  "glusterfs",
  "flocker",
  "persistentVolumeClaim",
  "rbd",
  "cinder",
  "cephfs",
  "quobyte",
  "downwardAPI",
  "fc",
  "flexVolume",
  "configMap",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "storageos",
  "projected",
  "scaleIO",
  "csi",
  "ephemeral",
  "image",
].map((field) => ({
  field,
  refusedAs: field,
  path: field,
  validate: validatorOf(field),
  ...misnamedFields(field),
}));

function validatorOf(field: string): Validator {
  const validate = holders.get(field) ?? sharedSources.get(field) ?? podSources.get(field);
  if (validate === undefined) throw new Error(`no validation of volumes of kind ${field}`);
  return validate;
}

function misnamedFields(field: string): Partial<Source> {
  switch (field) {
    case "gcePersistentDisk":
      return { path: "persistentDisk" };
    case "cephfs":
      return { refusedAs: "cephFS" };
    case "downwardAPI":
      return { refusedAs: "downwarAPI" };
    default:
      return {};
  }
}

/** Validates the volumes of a pod. Returns the valid ones, which containers can mount. */
export function addVolumes(
  errors: Findings,
  volumes: readonly JsonObject[],
  path: string,
  options: PodValidationOptions,
): Volumes {
  const valid = new Map<string, JsonObject>();
  const created = createdClaims(volumes, options.podName);
  volumes.forEach((volume, i) => {
    const at = index(path, i);
    const own: Findings = [];
    const name = textAt(volume, "name");
    addSource(own, volume, at, options);
    if (name === "") own.push(fieldRequired(child(at, "name")));
    else addInvalid(own, child(at, "name"), name, dnsLabelMessages(name));
    if (valid.has(name)) own.push(fieldDuplicate(child(at, "name"), name));
    if (own.length === 0) valid.set(name, volume);
    else addAll(errors, own);
    const claim = textAt(objectAt(volume, "persistentVolumeClaim") ?? {}, "claimName");
    if (!created.has(claim)) return;
    const detail = "must not reference a PVC that gets created for an ephemeral volume";
    errors.push(fieldInvalid(child(at, "persistentVolumeClaim", "claimName"), claim, detail));
  });
  return valid;
}

function createdClaims(volumes: readonly JsonObject[], podName: string): ReadonlySet<string> {
  if (podName === "") return new Set();
  const ephemeral = volumes.filter((volume) => objectAt(volume, "ephemeral"));
  return new Set(ephemeral.map((volume) => `${podName}-${textAt(volume, "name")}`));
}

function addSource(errors: Findings, volume: JsonObject, path: string, options: PodValidationOptions): void {
  const name = textAt(volume, "name");
  let count = 0;
  for (const { field, refusedAs, path: ownPath, validate } of sources) {
    const source = objectAt(volume, field);
    if (source === undefined) continue;
    count += 1;
    if (count === 1) {
      validate(errors, source, child(path, ownPath), options);
      if (field === "ephemeral") addClaimName(errors, name, path, options.podName);
    } else {
      errors.push(fieldForbidden(child(path, refusedAs), "may not specify more than 1 volume type"));
    }
    if (field === "iscsi") addPortalLength(errors, source, name, child(path, "name"));
  }
  if (count === 0) errors.push(fieldRequired(path, "must specify a volume type"));
}

/** The names of the initiator and the portal form one file name. */
function addPortalLength(errors: Findings, source: JsonObject, name: string, field: string): void {
  if (source["initiatorName"] === undefined) return;
  if (utf8Length(`${name}:${textAt(source, "targetPortal")}`) <= 64) return;
  const what = "Total length of <volume name>:<iscsi.targetPortal>";
  const detail = `${what} must be under 64 characters if iscsi.initiatorName is specified.`;
  errors.push(fieldInvalid(field, name, detail));
}

/** The claim of an ephemeral volume is named after the pod and the volume. */
function addClaimName(errors: Findings, name: string, path: string, podName: string): void {
  if (podName === "" || name === "") return;
  const claim = `${podName}-${name}`;
  for (const message of dnsSubdomainMessages(claim)) {
    errors.push(fieldInvalid(child(path, "name"), name, worded`PVC name ${goQuote(claim)}: ${message}`));
  }
}

/** Validates an image volume. Templates can leave the image empty. */
function image(errors: Findings, source: JsonObject, path: string, options: PodValidationOptions): void {
  if (options.isPod && !textAt(source, "reference")) errors.push(fieldRequired(child(path, "reference")));
  addUnlessIn(errors, pullPolicies, source["pullPolicy"], child(path, "pullPolicy"));
}

/** Rejects projected service account tokens in pods without a service account. */
export function addTokensWithoutAccount(errors: Findings, spec: JsonObject, path: string): void {
  if (textAt(spec, "serviceAccountName")) return;
  listAt(spec, "volumes").forEach((volume, i) => {
    listAt(volume, "projected", "sources").forEach((source, j) => {
      if (source["serviceAccountToken"] === undefined) return;
      const at = index(child(index(child(path, "volumes"), i), "projected", "sources"), j);
      const detail = "must not be specified when serviceAccountName is not set";
      errors.push(fieldForbidden(child(at, "serviceAccountToken"), detail));
    });
  });
}
