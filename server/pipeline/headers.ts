import type { PipelineFileName } from '#contract/pipeline-fields.ts'

/** The columns that fill the pipeline and the tags of a record, of every kind. */
export const pipelineHeaders: Record<PipelineFileName, readonly string[]> = {
  lookAgainOn: ['lookagain', 'lookagainon', 'revisiton', 'revisitdate', 'reopenon', 'erneutprufenam'],
  nextOn: [
    ...['nexton', 'nextstepon', 'nextstepdate', 'dateofnextstep', 'nextactiondate', 'nextactivitydate', 'followupdate'],
    ...['followupon', 'duedate', 'wiedervorlage', 'wiedervorlageam', 'falligam', 'datumdesnachstenschritts'],
    ...['dateprochaineetape', 'datedelaprochaineetape', 'echeance', 'datederelance', 'fechaproximopaso'],
    ...['fechadelproximopaso', 'fechadeseguimiento', 'vencimiento'],
  ],
  nextStep: [
    ...['nextstep', 'nextsteps', 'nextaction', 'nextactivity', 'followup', 'nachsterschritt', 'nachsteschritte'],
    ...['nachsteaktion', 'prochaineetape', 'prochainesetapes', 'prochaineaction', 'proximopaso', 'siguientepaso'],
    ...['proximospasos', 'proximaaccion'],
  ],
  reason: [
    ...['passingreason', 'passreason', 'reasonforpassing', 'reasonpassed', 'lostreason', 'closedlostreason'],
    ...['rejectionreason', 'declinereason', 'absagegrund', 'ablehnungsgrund', 'motifderefus', 'raisondurefus'],
    ...['motivoderechazo', 'motivodedescarte'],
  ],
  reasonText: ['passingremark', 'passingcomment', 'reasontext', 'reasondetails', 'lostreasondetails'],
  stage: [
    ...['stage', 'pipelinestage', 'dealstage', 'leadstage', 'funnelstage', 'phase', 'stufe', 'pipelinephase', 'etape'],
    ...['etapedupipeline', 'etapa', 'etapadelpipeline', 'fase'],
  ],
  status: ['status', 'pipelinestatus', 'dealstatus', 'leadstatus', 'statut', 'statutdudossier', 'estado', 'estatus'],
  responsible: [
    ...[
      'responsible',
      'responsiblefellow',
      'owner',
      'owners',
      'dealowner',
      'contactowner',
      'companyowner',
      'leadowner',
    ],
    ...[
      'recordowner',
      'accountowner',
      'assignee',
      'assignedto',
      'verantwortlich',
      'verantwortliche',
      'verantwortlicher',
    ],
    ...['zustandig', 'betreuer', 'betreuerin', 'inhaber', 'responsable', 'proprietaire', 'attribuea', 'assignea'],
    ...['propietario', 'asignadoa', 'encargado', 'encargada'],
  ],
  tags: [
    ...['tags', 'tag', 'labels', 'label', 'schlagworter', 'schlagworte', 'schlagwort', 'stichworte', 'etiketten'],
    ...['etiquettes', 'etiquette', 'motscles', 'etiquetas', 'etiqueta', 'palabrasclave'],
  ],
}
