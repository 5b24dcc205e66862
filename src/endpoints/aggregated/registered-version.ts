import { booleanAt, numberAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import type { GroupVersion } from "../../apimachinery/group-version.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { GroupPriority } from "../../catalog/group-priority.ts";
import { groupVersionOf, isAvailable } from "../../kinds/apiregistration/api-service/registration.ts";

/** The Service of another server. */
export interface ServicePlace {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** How another server is reached and trusted. */
export interface RemotePlace {
  readonly service: ServicePlace;
  /** PEM of the authorities that are trusted; undefined for those of the system. */
  readonly authorities: string | undefined;
  readonly verifiesServer: boolean;
}

/** A group and version with an APIService. */
export interface RegisteredVersion extends GroupVersion {
  /** The name of the APIService. */
  readonly name: string;
  readonly priority: GroupPriority;
  readonly isAvailable: boolean;
  /** Undefined for a version of this server. */
  readonly remote: RemotePlace | undefined;
}

/** A group and version of another server. */
export interface RemoteVersion extends RegisteredVersion {
  readonly remote: RemotePlace;
}

/** Reads an APIService. */
export function registeredVersion(apiService: KubeObject): RegisteredVersion {
  return {
    ...groupVersionOf(apiService),
    name: apiService.metadata.name ?? "",
    priority: {
      group: numberAt(apiService, "spec", "groupPriorityMinimum"),
      version: numberAt(apiService, "spec", "versionPriority"),
    },
    isAvailable: isAvailable(apiService),
    remote: remotePlace(apiService),
  };
}

export function isRemote(version: RegisteredVersion): version is RemoteVersion {
  return version.remote !== undefined;
}

function remotePlace(apiService: KubeObject): RemotePlace | undefined {
  const service = objectAt(apiService, "spec", "service");
  if (service === undefined) return undefined;
  const bundle = textAt(apiService, "spec", "caBundle");
  return {
    service: {
      namespace: textAt(service, "namespace"),
      name: textAt(service, "name"),
      port: numberAt(service, "port") || 443,
    },
    authorities: bundle === "" ? undefined : atob(bundle),
    verifiesServer: !booleanAt(apiService, "spec", "insecureSkipTLSVerify"),
  };
}
