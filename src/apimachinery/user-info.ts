/** The user of a request. Upstream: `user.Info`. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: { readonly [key: string]: readonly string[] };
}

/** The user of a request without credentials. */
export const anonymous: UserInfo = {
  name: "system:anonymous",
  uid: "",
  groups: ["system:unauthenticated"],
  extra: {},
};

/** A user for whom the cluster issues a credential, besides the name. */
export interface UserOptions {
  /** Default: none. */
  readonly groups?: readonly string[];
  /** Default: none. */
  readonly uid?: string;
}

/** The administrator that kubeadm makes. */
export const clusterAdmin: UserInfo = {
  name: "kubernetes-admin",
  uid: "",
  groups: ["system:masters"],
  extra: {},
};
