import { Handle, type NodeProps, Position } from '@xyflow/react';
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleDashed,
  IconCircleX,
  IconLoader2,
  IconPlayerSkipForward,
  IconX,
} from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { FarNodeBox, Gist, NodeBox } from '../NodeBox.tsx';
import classes from './StepBox.module.css';
import { portsForType, takesInput } from './connect-rules.ts';
import type { StepNode } from './flow.ts';
import { useIsFar } from './detail-levels-context.ts';

const FAULTS = { save: IconCircleX, publish: IconCircleX, advice: IconAlertTriangle } as const;
const RUNS = {
  done: IconCheck,
  failed: IconX,
  skipped: IconPlayerSkipForward,
  running: IconLoader2,
  missed: IconCircleDashed,
} as const;

/** A node on the canvas, with its way in and its ways out (for pointers; `C` connects by keys). Its place is that of the box around it: moved, it is not drawn again. */
export const StepBox = memo(
  function StepBox({ id, data, selected }: NodeProps<StepNode>): ReactNode {
    const { type, name, gist, fault, run } = data;
    const isFar = useIsFar(id);
    if (isFar) return <FarNodeBox type={type} name={name} isSelected={selected} fault={fault} />;
    const ports = portsForType(type);
    const FaultIcon = fault && FAULTS[fault];
    const RunIcon = run && RUNS[run.state];
    return (
      <NodeBox
        type={type}
        name={name}
        line={gist === '' ? type : <Gist>{gist}</Gist>}
        isSelected={selected}
        fault={fault}
        look={run?.state}
        sign={FaultIcon && <FaultIcon size={16} className={classes['fault']} data-fault={fault} aria-hidden="true" />}
        foot={
          run &&
          RunIcon && (
            <span className={classes['run']} data-state={run.state}>
              <RunIcon size={12} aria-hidden="true" />
              <span>{run.text}</span>
            </span>
          )
        }
      >
        {takesInput(type) && (
          <Handle
            id="in"
            type="target"
            position={Position.Left}
            className={classes['handle'] ?? ''}
            aria-hidden="true"
          />
        )}
        {ports.map((port, i) => (
          <Handle
            key={port ?? 'out'}
            id={port ?? 'out'}
            type="source"
            position={Position.Right}
            className={classes['handle'] ?? ''}
            data-port={port}
            data-place={ports.length > 1 ? i : undefined}
            aria-hidden="true"
          />
        ))}
      </NodeBox>
    );
  },
  (a, b) => a.data === b.data && a.selected === b.selected,
);
