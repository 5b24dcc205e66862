import {
  booleanAt,
  listAt,
  objectAt,
  sizeAt,
  textAt,
  textOr,
  textsAt,
  valueAt,
} from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { ageOf, nameOf, orNone, quantityAt } from "../../codec/tables/cell-text.ts";
import type { GroupPrinters, Printer } from "../../codec/tables/printer.ts";

/** The access modes in the order they are shown in, and what is shown. */
const accessModes: readonly (readonly [mode: string, shown: string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

const BETA_CLASS = "volume.beta.kubernetes.io/storage-class";

const defaultClassAnnotations = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

export const persistentVolumePrinter: Printer = {
  cells: (volume, now) => [
    nameOf(volume),
    quantityAt(volume, "spec", "capacity", "storage"),
    modesText(textsAt(volume, "spec", "accessModes")),
    textAt(volume, "spec", "persistentVolumeReclaimPolicy"),
    phase(volume),
    claimText(volume),
    storageClass(volume),
    textOr("<unset>", volume, "spec", "volumeAttributesClassName"),
    textAt(volume, "status", "reason"),
    ageOf(volume, now),
    textOr("<unset>", volume, "spec", "volumeMode"),
  ],
};

export const persistentVolumeClaimPrinter: Printer = {
  cells(claim, now) {
    const volume = textAt(claim, "spec", "volumeName");
    const isBound = volume !== "";
    return [
      nameOf(claim),
      phase(claim),
      volume,
      isBound ? quantityAt(claim, "status", "capacity", "storage") : "",
      isBound ? modesText(textsAt(claim, "status", "accessModes")) : "",
      storageClass(claim),
      textOr("<unset>", claim, "spec", "volumeAttributesClassName"),
      ageOf(claim, now),
      textOr("<unset>", claim, "spec", "volumeMode"),
    ];
  },
};

export const storagePrinters: GroupPrinters = {
  csidrivers: {
    cells: (driver, now) => [
      nameOf(driver),
      valueAt(driver, "spec", "attachRequired") !== false,
      booleanAt(driver, "spec", "podInfoOnMount"),
      booleanAt(driver, "spec", "storageCapacity"),
      tokenAudiences(driver),
      booleanAt(driver, "spec", "requiresRepublish"),
      orNone(textsAt(driver, "spec", "volumeLifecycleModes").join(",")),
      ageOf(driver, now),
    ],
  },
  csinodes: {
    cells: (object, now) => [nameOf(object), sizeAt(object, "spec", "drivers"), ageOf(object, now)],
  },
  storageclasses: {
    cells: (object, now) => [
      isDefaultClass(object) ? `${nameOf(object)} (default)` : nameOf(object),
      textAt(object, "provisioner"),
      textOr("Delete", object, "reclaimPolicy"),
      textOr("Immediate", object, "volumeBindingMode"),
      booleanAt(object, "allowVolumeExpansion"),
      ageOf(object, now),
    ],
  },
  volumeattachments: {
    cells: (object, now) => [
      nameOf(object),
      textAt(object, "spec", "attacher"),
      textAt(object, "spec", "source", "persistentVolumeName"),
      textAt(object, "spec", "nodeName"),
      booleanAt(object, "status", "attached"),
      ageOf(object, now),
    ],
  },
  volumeattributesclasses: {
    cells: (object, now) => [nameOf(object), textAt(object, "driverName"), ageOf(object, now)],
  },
};

function phase(object: KubeObject): string {
  return object.metadata.deletionTimestamp ? "Terminating" : textAt(object, "status", "phase");
}

function modesText(modes: readonly string[]): string {
  return accessModes
    .filter(([mode]) => modes.includes(mode))
    .map(([, shown]) => shown)
    .join(",");
}

function claimText(volume: KubeObject): string {
  const claim = objectAt(volume, "spec", "claimRef");
  return claim === undefined ? "" : `${textAt(claim, "namespace")}/${textAt(claim, "name")}`;
}

/** The annotation of old goes before the field. */
function storageClass(object: KubeObject): string {
  return object.metadata.annotations?.[BETA_CLASS] ?? textAt(object, "spec", "storageClassName");
}

function isDefaultClass({ metadata }: KubeObject): boolean {
  return defaultClassAnnotations.some((annotation) => metadata.annotations?.[annotation] === "true");
}

function tokenAudiences(driver: KubeObject): string {
  if (!Array.isArray(valueAt(driver, "spec", "tokenRequests"))) return "<unset>";
  return listAt(driver, "spec", "tokenRequests")
    .map((request) => textAt(request, "audience"))
    .join(",");
}
