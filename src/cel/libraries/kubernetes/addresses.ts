import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import {
  type Cidr,
  cidrContains,
  formatCidr,
  formatIp,
  type IpAddress,
  networkOf,
} from "../../../apimachinery/ip.ts";
import type { FunctionDeclaration, Library } from "../../environment/declarations.ts";
import { declare, global, member, type OverloadExtras } from "../../environment/declare.ts";
import { add, fixed, type Range, scale } from "../../environment/estimates.ts";
import { type CelType, opaqueType, types } from "../../types/cel-type.ts";
import { type CelError, celError, isError } from "../../values/cel-error.ts";
import { OpaqueValue } from "../../values/opaque-value.ts";
import type { CelValue } from "../../values/value.ts";
import { binary, unary } from "../arguments.ts";
import { sizeAt, traversal, traversing } from "../costs.ts";
import { type Guard, isString } from "../guards.ts";
import { costSize } from "../sizes.ts";
import { AddressError, isMapped, parseAddress, parsePrefix } from "./netip.ts";

const ipType: CelType = opaqueType("net.IP");
const cidrType: CelType = opaqueType("net.CIDR");
const { bool, int, string } = types;

class IpValue extends OpaqueValue {
  readonly type = ipType;
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    super();
    this.address = address;
  }

  equals(other: IpValue): boolean {
    return this.toString() === other.toString();
  }

  toString(): string {
    return formatIp(this.address);
  }

  override get size(): number {
    return this.address.length;
  }
}

class CidrValue extends OpaqueValue {
  readonly type = cidrType;
  readonly cidr: Cidr;

  constructor(cidr: Cidr) {
    super();
    this.cidr = cidr;
  }

  equals(other: CidrValue): boolean {
    return this.toString() === other.toString();
  }

  toString(): string {
    return formatCidr(this.cidr);
  }

  override get size(): number {
    return Math.ceil(this.cidr.prefixLength / 8);
  }
}

const isIp: Guard<IpValue> = (value): value is IpValue => value instanceof IpValue;
const isCidr: Guard<CidrValue> = (value): value is CidrValue => value instanceof CidrValue;

/** IP addresses: ip, isIP, ip.isCanonical, and their properties. */
export const ips: Library = {
  functions: [
    declare("ip", global("string_to_ip", [string], ipType, unary(isString, ipOf), traversing(0))),
    declare(
      "isIP",
      global(
        "is_ip",
        [string],
        bool,
        unary(isString, (text) => !isError(ipOf(text))),
        traversing(0),
      ),
    ),
    declare(
      "ip.isCanonical",
      global("ip_is_canonical", [string], bool, unary(isString, isCanonical), traversing(0, 2 * traversal)),
    ),
    declare("string", global("ip_to_string", [ipType], string, unary(isIp, String))),
    declare(
      "family",
      member(
        "ip_family",
        [ipType],
        int,
        unary(isIp, ({ address }) => (address.length === 4 ? 4 : 6)),
      ),
    ),
    property("isUnspecified", "ip_is_unspecified", (address) => address.every((byte) => byte === 0)),
    property("isLoopback", "ip_is_loopback", isLoopback),
    property("isLinkLocalMulticast", "ip_is_link_local_multicast", isLinkLocalMulticast),
    property("isLinkLocalUnicast", "ip_is_link_local_unicast", isLinkLocalUnicast),
    property("isGlobalUnicast", "ip_is_global_unicast", isGlobalUnicast),
  ],
};

/** Networks: cidr, isCIDR, what they contain, and their parts. */
export const cidrs: Library = {
  functions: [
    declare("cidr", global("string_to_cidr", [string], cidrType, unary(isString, cidrOf), traversing(0))),
    declare(
      "isCIDR",
      global(
        "is_cidr",
        [string],
        bool,
        unary(isString, (text) => !isError(parsedCidr(text))),
        traversing(0),
      ),
    ),
    declare(
      "containsIP",
      member("cidr_contains_ip_string", [cidrType, string], bool, containsIp, containing(0, "text")),
      member("cidr_contains_ip_ip", [cidrType, ipType], bool, containsIp, containing(0, "value")),
    ),
    declare(
      "containsCIDR",
      member("cidr_contains_cidr_string", [cidrType, string], bool, containsCidr, containing(1, "text")),
      member("cidr_contains_cidr", [cidrType, cidrType], bool, containsCidr, containing(1, "value")),
    ),
    declare(
      "ip",
      member(
        "cidr_ip",
        [cidrType],
        ipType,
        unary(isCidr, ({ cidr }) => new IpValue(cidr.address)),
      ),
    ),
    declare(
      "prefixLength",
      member(
        "cidr_prefix_length",
        [cidrType],
        int,
        unary(isCidr, ({ cidr }) => cidr.prefixLength),
      ),
    ),
    declare(
      "masked",
      member(
        "cidr_masked",
        [cidrType],
        cidrType,
        unary(isCidr, ({ cidr }) => new CidrValue(networkOf(cidr))),
      ),
    ),
    declare("string", global("cidr_to_string", [cidrType], string, unary(isCidr, String))),
  ],
};

function property(name: string, id: string, holds: (address: IpAddress) => boolean): FunctionDeclaration {
  return declare(
    name,
    member(
      id,
      [ipType],
      bool,
      unary(isIp, ({ address }) => holds(address)),
    ),
  );
}

/** The costs of containsIP and containsCIDR (apiserver, pkg/cel/library/cost.go). */
function containing(extra: 0 | 1, argument: "text" | "value"): OverloadExtras {
  const address: Range = { min: 4, max: 16 };
  const more = extra === 0 ? fixed(0) : add(scale(address, traversal), fixed(1));
  return {
    cost: ([cidr, other]) => {
      const size = costSize(cidr);
      const own = Math.ceil(2 * size * traversal) + extra * (Math.ceil(size * traversal) + 1);
      return own + (argument === "text" ? Math.ceil(costSize(other) * traversal) : 0);
    },
    estimate: (operands) => {
      const own = add(scale(add(address, address), traversal), more);
      return { cost: argument === "text" ? add(own, scale(sizeAt(operands, 1), traversal)) : own };
    },
  };
}

function ipOf(text: string): IpValue | CelError {
  try {
    const { address, zone } = parseAddress(text);
    if (zone !== "") return celError(`IP address ${goQuote(text)} with zone value is not allowed`);
    if (isMapped(address)) return celError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
    return new IpValue(address);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    return celError(
      `IP Address ${goQuote(text)} parse error during conversion from string: ${error.message}`,
    );
  }
}

function isCanonical(text: string): CelValue {
  const address = ipOf(text);
  return isError(address) ? address : address.toString() === text;
}

const parseFailure = "network address parse error during conversion from string: ";

/** The function repeats the words of the parser's error. */
function cidrOf(text: string): CidrValue | CelError {
  const parsed = parsedCidr(text);
  return isError(parsed) ? celError(parseFailure + parsed.message) : parsed;
}

function parsedCidr(text: string): CidrValue | CelError {
  try {
    const cidr = parsePrefix(text);
    if (isMapped(cidr.address)) return celError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
    return new CidrValue(cidr);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    return celError(parseFailure + error.message);
  }
}

function containsIp(network: CelValue = null, other: CelValue = null): CelValue {
  const address = typeof other === "string" ? ipOf(other) : other;
  if (isError(address)) return address;
  return binary(isCidr, isIp, (a, b) => cidrContains(a.cidr, b.address))(network, address);
}

function containsCidr(network: CelValue = null, other: CelValue = null): CelValue {
  const inner = typeof other === "string" ? cidrOf(other) : other;
  if (isError(inner)) return inner;
  return binary(isCidr, isCidr, ({ cidr }, b) => {
    return cidr.prefixLength <= b.cidr.prefixLength && cidrContains(cidr, b.cidr.address);
  })(network, inner);
}

function isLoopback(address: IpAddress): boolean {
  if (address.length === 4) return address[0] === 127;
  return address.every((byte, i) => byte === (i === 15 ? 1 : 0));
}

function isLinkLocalMulticast(address: IpAddress): boolean {
  if (address.length === 4) return address[0] === 224 && address[1] === 0 && address[2] === 0;
  return address[0] === 0xff && ((address[1] ?? 0) & 0x0f) === 2;
}

function isLinkLocalUnicast(address: IpAddress): boolean {
  if (address.length === 4) return address[0] === 169 && address[1] === 254;
  return address[0] === 0xfe && ((address[1] ?? 0) & 0xc0) === 0x80;
}

function isGlobalUnicast(address: IpAddress): boolean {
  const isMulticast = address.length === 4 ? ((address[0] ?? 0) & 0xf0) === 0xe0 : address[0] === 0xff;
  const isBroadcast = address.length === 4 && address.every((byte) => byte === 255);
  const isUnspecified = address.every((byte) => byte === 0);
  return (
    !isMulticast && !isBroadcast && !isUnspecified && !isLoopback(address) && !isLinkLocalUnicast(address)
  );
}
