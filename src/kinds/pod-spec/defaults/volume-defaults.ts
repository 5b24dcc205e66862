import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import {
  all,
  type Defaulter,
  each,
  ifSet,
  inStruct,
  whenUnset,
  whenZero,
} from "../../defaulting/defaulter.ts";
import { fieldRefDefaults, pullPolicyByTag } from "./container-defaults.ts";
import { claimSpecDefaults } from "./persistent-volume-claim-defaults.ts";

/** 420 is 0644 in octal. */
const readable = whenUnset({ defaultMode: 420 });

/** The defaults of sources that pods and PersistentVolumes share. */
export const sharedSourceDefaults: Defaulter = all(
  ifSet("hostPath", whenUnset({ type: "" })),
  ifSet("iscsi", whenZero({ iscsiInterface: "default" })),
  ifSet("rbd", whenZero({ pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" })),
  ifSet(
    "azureDisk",
    whenUnset({ cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" }),
  ),
  ifSet("scaleIO", whenZero({ storageMode: "ThinProvisioned", fsType: "xfs" })),
);

/** The defaults of a volume of a pod or a template. */
export const volumeDefaults: Defaulter = all(
  emptyDirWithoutSource,
  sharedSourceDefaults,
  ifSet("secret", readable),
  ifSet("configMap", readable),
  ifSet("downwardAPI", readable, each("items", fieldRefDefaults)),
  ifSet(
    "projected",
    readable,
    each(
      "sources",
      ifSet("downwardAPI", each("items", fieldRefDefaults)),
      ifSet("serviceAccountToken", whenUnset({ expirationSeconds: 3600 })),
    ),
  ),
  ifSet("image", pullPolicyByTag("reference", "pullPolicy")),
  ifSet("ephemeral", ifSet("volumeClaimTemplate", inStruct("spec", claimSpecDefaults))),
);

function emptyDirWithoutSource(volume: MutableJsonObject): void {
  for (const field in volume) if (field !== "name") return;
  volume["emptyDir"] = {};
}
