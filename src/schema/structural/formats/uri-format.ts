/** Characters of a host as Go's net/url takes them (RFC 3986, and `[]<>"`). All beyond ASCII are taken, too. */
const hostCharacters = /^[A-Za-z0-9!$&'()*+,;=:[\]<>"\-_.~%\u0080-\uffff]*$/;
const userCharacters = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const hostCharacterInZone = /^[A-Za-z0-9!$&'()*+,;=:[\]<>"\-_.~ ]$/;
const malformedEscape = /%(?![0-9A-Fa-f]{2})/;
/** An escaped ASCII character, which a host cannot have, except `%25`. */
const escapedAscii = /%(?!25)[0-7]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the expression looks for
const controlCharacter = /[\u0000-\u001f\u007f]/;
const scheme = /^([A-Za-z][A-Za-z0-9+.-]*)?:/;
const port = /^(:[0-9]*)?$/;

/** Whether a text is an absolute URI or an absolute path, as Go's `url.ParseRequestURI` reads it. */
export function isRequestUri(text: string): boolean {
  if (text === "" || controlCharacter.test(text)) return false;
  if (text === "*") return true;
  const [prefix = "", name] = scheme.exec(text) ?? [];
  if (prefix === ":") return false;
  const [hierarchy = ""] = text.slice(prefix.length).split("?", 1);
  if (!hierarchy.startsWith("/")) return name !== undefined;
  if (name === undefined || !hierarchy.startsWith("//")) return !malformedEscape.test(hierarchy);
  const slash = hierarchy.indexOf("/", 2);
  const authority = slash < 0 ? hierarchy.slice(2) : hierarchy.slice(2, slash);
  return isAuthority(authority) && (slash < 0 || !malformedEscape.test(hierarchy.slice(slash)));
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf("@");
  if (!isHostWithPort(authority.slice(at + 1))) return false;
  const user = authority.slice(0, Math.max(at, 0));
  return userCharacters.test(user) && !malformedEscape.test(user);
}

function isHostWithPort(host: string): boolean {
  if (!host.startsWith("[")) {
    const colon = host.lastIndexOf(":");
    return isHost(host) && (colon < 0 || port.test(host.slice(colon)));
  }
  const end = host.lastIndexOf("]");
  if (end < 0 || !port.test(host.slice(end + 1))) return false;
  const zone = host.slice(0, end).indexOf("%25");
  if (zone < 0) return isHost(host);
  return isHost(host.slice(0, zone)) && isZone(host.slice(zone, end));
}

function isHost(host: string): boolean {
  return hostCharacters.test(host) && !malformedEscape.test(host) && !escapedAscii.test(host);
}

/** A zone may escape what a host may have unescaped, and spaces. */
function isZone(zone: string): boolean {
  if (!hostCharacters.test(zone) || malformedEscape.test(zone)) return false;
  for (const [escaped, digits = ""] of zone.matchAll(/%(..)/g)) {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    if (escaped !== "%25" && !hostCharacterInZone.test(character)) return false;
  }
  return true;
}
