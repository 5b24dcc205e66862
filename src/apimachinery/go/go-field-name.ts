/** Words that Go writes in capitals throughout, where the name of a field starts with them. */
const capitals =
  /^(?:api|aws|ca|cel|cidr|csi|dns|fc|fs|gce|gid|gmsa|grpc|http|id|ip|iqn|iscsi|json|nfs|os|pd|pkix|qos|qps|rbd|tcp|tls|ttl|tty|uid|uri|url|wwid)(?=s?(?:$|[A-Z]))/;

/** Names whose words do not follow from their JSON names. */
const otherNames: readonly (readonly [start: string, capitalized: string])[] = [
  ["cephfs", "CephFS"],
  ["seLinux", "SELinux"],
  ["storageos", "StorageOS"],
];

/** The Go name of a field by its JSON name. */
export function goFieldName(name: string): string {
  for (const [start, capitalized] of otherNames) {
    if (name.startsWith(start)) return capitalized + name.slice(start.length);
  }
  return name
    .replace(capitals, (word) => word.toUpperCase())
    .replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
