import { listAt, objectAt, sizeAt, textAt, valueAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { type Edit, editedAt, editedContainers, editedEach, withField, without } from "./pod-edits.ts";
import { containersWithPath } from "./pod-spec-validation/container-paths.ts";
import type { PodFeatures } from "./pod-spec-validation/pod-features.ts";

/** Fields that a gate keeps out, unless the old object has them. */
interface GatedFields {
  readonly isEnabled: (features: PodFeatures) => boolean;
  readonly isInUse: (old: JsonObject) => boolean;
  readonly drop: Edit;
}

const never = () => false;

const ofSpec: readonly GatedFields[] = [
  {
    isEnabled: (features) => features.dynamicResourceAllocation,
    isInUse: (old) => sizeAt(old, "resourceClaims") > 0,
    drop: (spec) => editedContainers(without(spec, ["resourceClaims"]), withoutClaims),
  },
  {
    isEnabled: (features) => features.procMountType,
    isInUse: (old) => containersWithPath(old, "").some(({ container }) => unmasks(container)),
    drop: (spec) => editedContainers(spec, withDefaultProcMount),
  },
  {
    isEnabled: (features) => features.userNamespacesSupport,
    isInUse: (old) => old["hostUsers"] !== undefined,
    drop: (spec) => without(spec, ["hostUsers"]),
  },
  {
    isEnabled: (features) => features.inPlacePodVerticalScaling,
    isInUse: (old) =>
      containersWithPath(old, "").some(({ container }) => sizeAt(container, "resizePolicy") > 0),
    drop: (spec) => editedContainers(spec, (container) => without(container, ["resizePolicy"])),
  },
  {
    isEnabled: never,
    isInUse: (old) => old["resources"] !== undefined,
    drop: (spec) => without(spec, ["resources"]),
  },
  {
    isEnabled: never,
    isInUse: (old) => projections(old).some((source) => source["clusterTrustBundle"] !== undefined),
    drop: (spec) => editedProjections(spec, (source) => without(source, ["clusterTrustBundle"])),
  },
  {
    isEnabled: (features) => features.imageVolume,
    isInUse: (old) => listAt(old, "volumes").some((volume) => objectAt(volume, "image") !== undefined),
    drop: (spec) => editedEach(spec, "volumes", (volume) => without(volume, ["image"])),
  },
  ofSecurityContext("supplementalGroupsPolicy", (features) => features.supplementalGroupsPolicy),
  ofSecurityContext("seLinuxChangePolicy", (features) => features.seLinuxChangePolicy),
];

const statusLists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"];

const ofStatus: readonly GatedFields[] = [
  {
    isEnabled: (features) => features.inPlacePodVerticalScaling,
    isInUse: (old) => hasInStatus(old, "resources") || hasInStatus(old, "allocatedResources"),
    drop: (status) =>
      editedStatuses(without(status, ["resize"]), (container) =>
        without(container, ["resources", "allocatedResources"]),
      ),
  },
  {
    isEnabled: (features) => features.dynamicResourceAllocation,
    isInUse: (old) => sizeAt(old, "resourceClaimStatuses") > 0,
    drop: (status) => without(status, ["resourceClaimStatuses"]),
  },
  {
    isEnabled: (features) => features.resourceHealthStatus,
    isInUse: (old) => hasInStatus(old, "allocatedResourcesStatus"),
    drop: (status) => editedStatuses(status, (container) => without(container, ["allocatedResourcesStatus"])),
  },
  {
    isEnabled: (features) => features.supplementalGroupsPolicy,
    isInUse: (old) => hasInStatus(old, "user"),
    drop: (status) => editedStatuses(status, (container) => without(container, ["user"])),
  },
];

/** The spec of a pod without the fields that are behind closed gates, unless `old` has them. */
export function withoutDisabledFields(
  spec: JsonObject,
  old: JsonObject | undefined,
  features: PodFeatures,
): JsonObject {
  return dropped(spec, old, features, ofSpec);
}

/** The status of a pod without the fields that are behind closed gates, unless `old` has them. */
export function withoutDisabledStatusFields(
  status: JsonObject,
  old: JsonObject | undefined,
  features: PodFeatures,
): JsonObject {
  return dropped(status, old, features, ofStatus);
}

function dropped(
  object: JsonObject,
  old: JsonObject | undefined,
  features: PodFeatures,
  gated: readonly GatedFields[],
): JsonObject {
  return gated.reduce((edited, { isEnabled, isInUse, drop }) => {
    const stays = isEnabled(features) || (old !== undefined && isInUse(old));
    return stays ? edited : drop(edited);
  }, object);
}

function ofSecurityContext(field: string, isEnabled: (features: PodFeatures) => boolean): GatedFields {
  return {
    isEnabled,
    isInUse: (old) => valueAt(old, "securityContext", field) !== undefined,
    drop: (spec) => editedAt(spec, "securityContext", (context) => without(context, [field])),
  };
}

function withoutClaims(container: JsonObject): JsonObject {
  return editedAt(container, "resources", (resources) => without(resources, ["claims"]));
}

function unmasks(container: JsonObject): boolean {
  const procMount = textAt(container, "securityContext", "procMount");
  return procMount !== "" && procMount !== "Default";
}

/** The field is not dropped: long ago it was always set, and the objects of that time may not differ from it. */
function withDefaultProcMount(container: JsonObject): JsonObject {
  return editedAt(container, "securityContext", (context) =>
    context["procMount"] === undefined ? context : withField(context, "procMount", "Default"),
  );
}

function projections(spec: JsonObject): readonly JsonObject[] {
  return listAt(spec, "volumes").flatMap((volume) => listAt(volume, "projected", "sources"));
}

function editedProjections(spec: JsonObject, edit: Edit): JsonObject {
  return editedEach(spec, "volumes", (volume) =>
    editedAt(volume, "projected", (projected) => editedEach(projected, "sources", edit)),
  );
}

function hasInStatus(status: JsonObject, field: string): boolean {
  return statusLists.some((list) => listAt(status, list).some((container) => container[field] !== undefined));
}

function editedStatuses(status: JsonObject, edit: Edit): JsonObject {
  return statusLists.reduce((edited, list) => editedEach(edited, list, edit), status);
}
