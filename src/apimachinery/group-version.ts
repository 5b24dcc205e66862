/** An API group and one of its versions; the core group is the empty string. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** The coordinates of a resource in a URL. */
export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}

/** The coordinates of a kind in a body. */
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

/** A group and a resource, which error messages name. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** A group and a kind, which 422 responses name. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** The `apiVersion` of a group and version: `v1` for the core group, `apps/v1` otherwise. */
export function formatGroupVersion(gv: GroupVersion): string {
  return gv.group === "" ? gv.version : `${gv.group}/${gv.version}`;
}

/** Parses an `apiVersion`; undefined if it has more than one slash. */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  const slash = apiVersion.indexOf("/");
  if (slash < 0) return { group: "", version: apiVersion };
  if (apiVersion.indexOf("/", slash + 1) >= 0) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** `pods` or `deployments.apps`, as error messages show it. */
export function formatGroupResource(gr: GroupResource): string {
  return gr.group === "" ? gr.resource : `${gr.resource}.${gr.group}`;
}

/** `Pod` or `Deployment.apps`, as error messages show it. */
export function formatGroupKind(gk: GroupKind): string {
  return gk.group === "" ? gk.kind : `${gk.kind}.${gk.group}`;
}

/** `/v1, Kind=Pod` or `apps/v1, Kind=Deployment`, as error messages show it. */
export function formatGroupVersionKind(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}, Kind=${gvk.kind}`;
}
