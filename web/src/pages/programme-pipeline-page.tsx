import classes from '#web/programme/pipeline/pipeline.module.css'
import { Reasons } from '#web/programme/pipeline/reasons.tsx'
import { Stages } from '#web/programme/pipeline/stages.tsx'
import { ProgrammeFrame } from '#web/programme/programme-frame.tsx'

export const ProgrammePipelinePage = () => (
  <ProgrammeFrame part="Stages and reasons">
    <div className={classes.columns}>
      <Stages />
      <Reasons />
    </div>
  </ProgrammeFrame>
)
