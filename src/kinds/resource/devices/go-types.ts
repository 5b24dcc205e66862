import {
  type GoType,
  goInteger,
  goPointer,
  goSlice,
  goStruct,
  goText,
  goTexts,
} from "../../../apimachinery/go/go-type.ts";
import { goNodeSelector } from "../../internal-types/go-node-selector.ts";
import { goObjectMeta } from "../../internal-types/go-pod-template.ts";

/** The parameters are formatted as they were sent. */
const opaque = goStruct("resource.OpaqueDeviceConfiguration", [
  ["Driver", "driver", goText],
  ["Parameters", "parameters", goPointer("runtime.RawExtension")],
]);

const expression = goStruct("resource.CELDeviceSelector", [["Expression", "expression", goText]]);

const configuration = goStruct("resource.DeviceConfiguration", [
  ["Opaque", "opaque", goPointer("resource.OpaqueDeviceConfiguration", opaque)],
]);

const request = goStruct("resource.DeviceRequest", [
  ["Name", "name", goText],
  ["DeviceClassName", "deviceClassName", goText],
  [
    "Selectors",
    "selectors",
    goSlice(
      "resource.DeviceSelector",
      goStruct("resource.DeviceSelector", [
        ["CEL", "cel", goPointer("resource.CELDeviceSelector", expression)],
      ]),
    ),
  ],
  ["AllocationMode", "allocationMode", goText],
  ["Count", "count", goInteger],
  ["AdminAccess", "adminAccess", goPointer("bool")],
]);

/** The Go type of the spec of a ResourceClaim, as in 1.32. */
export const goClaimSpec: GoType = goStruct("resource.ResourceClaimSpec", [
  [
    "Devices",
    "devices",
    goStruct("resource.DeviceClaim", [
      ["Requests", "requests", goSlice("resource.DeviceRequest", request)],
      [
        "Constraints",
        "constraints",
        goSlice(
          "resource.DeviceConstraint",
          goStruct("resource.DeviceConstraint", [
            ["Requests", "requests", goTexts],
            ["MatchAttribute", "matchAttribute", goPointer("resource.FullyQualifiedName")],
          ]),
        ),
      ],
      [
        "Config",
        "config",
        goSlice(
          "resource.DeviceClaimConfiguration",
          goStruct("resource.DeviceClaimConfiguration", [
            ["Requests", "requests", goTexts],
            ["DeviceConfiguration", undefined, configuration],
          ]),
        ),
      ],
    ]),
  ],
]);

/** The Go type of the spec of a ResourceClaimTemplate. */
export const goTemplateSpec: GoType = goStruct("resource.ResourceClaimTemplateSpec", [
  ["ObjectMeta", "metadata", goObjectMeta],
  ["Spec", "spec", goClaimSpec],
]);

/** The Go type of the allocation of a ResourceClaim. */
export const goAllocation: GoType = goStruct("resource.AllocationResult", [
  [
    "Devices",
    "devices",
    goStruct("resource.DeviceAllocationResult", [
      [
        "Results",
        "results",
        goSlice(
          "resource.DeviceRequestAllocationResult",
          goStruct("resource.DeviceRequestAllocationResult", [
            ["Request", "request", goText],
            ["Driver", "driver", goText],
            ["Pool", "pool", goText],
            ["Device", "device", goText],
            ["AdminAccess", "adminAccess", goPointer("bool")],
          ]),
        ),
      ],
      [
        "Config",
        "config",
        goSlice(
          "resource.DeviceAllocationConfiguration",
          goStruct("resource.DeviceAllocationConfiguration", [
            ["Source", "source", goText],
            ["Requests", "requests", goTexts],
            ["DeviceConfiguration", undefined, configuration],
          ]),
        ),
      ],
    ]),
  ],
  ["NodeSelector", "nodeSelector", goPointer("core.NodeSelector", goNodeSelector)],
]);
