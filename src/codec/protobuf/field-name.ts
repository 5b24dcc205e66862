/** Words that Go writes in capitals throughout, where a field's name starts with them. */
const capitals =
  /^(?:api|ca|cel|cidr|csi|dns|fc|fs|gid|grpc|http|id|ip|iscsi|json|nfs|os|pkix|qos|qps|rbd|tcp|tls|ttl|tty|uid|url)(?=s?(?:$|[A-Z]))/;

/** The name that upstream's decoder gives a field in errors: mostly Go's name for it. */
export function goFieldName(name: string): string {
  return name
    .replace(capitals, (word) => word.toUpperCase())
    .replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
